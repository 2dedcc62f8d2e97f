// Every write of an integration, killed once each.
import { applySuite } from "./apply-suite.ts";

applySuite({ least: 60, random: 200 });
