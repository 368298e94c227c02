import { testDerivation } from "./testing";

testDerivation({ numRuns: 300 });
