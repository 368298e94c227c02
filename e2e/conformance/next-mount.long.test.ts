import { describeConformance } from "./run";

describeConformance("next");
