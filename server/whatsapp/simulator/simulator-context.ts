import type { Dispatcher } from "@/server/whatsapp/simulator/dispatcher";
import type { Journal } from "@/server/whatsapp/simulator/journal";
import type { SimulatorLog } from "@/server/whatsapp/simulator/log";
import type { Numbers } from "@/server/whatsapp/simulator/numbers";

/** What every route of the simulator works with. */
export interface SimulatorContext {
  readonly numbers: Numbers;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  readonly log: SimulatorLog;
}
