import { describeConformance } from "./run";

describeConformance("node");
