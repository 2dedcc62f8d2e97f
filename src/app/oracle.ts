// The entry of `oracle`.
import process from "node:process";

process.stdout.write("oracle\n");
