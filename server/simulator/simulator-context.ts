import type { Dispatcher } from "./dispatcher";
import type { Failures } from "./failures";
import type { Journal } from "./journal";
import type { SimulatorLog } from "./log";
import type { MediaStore } from "./media-store";
import type { Numbers } from "./numbers";
import type { TemplateStore } from "./template-store";

/** Dependencies shared by the simulator's routes. */
export interface SimulatorContext {
  readonly numbers: Numbers;
  readonly failures: Failures;
  readonly templates: TemplateStore;
  readonly media: MediaStore;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  readonly log: SimulatorLog;
}
