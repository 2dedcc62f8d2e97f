// The entry of `thehood`.
import process from "node:process";

process.stdout.write("thehood\n");
