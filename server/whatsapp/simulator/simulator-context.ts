import type { Dispatcher } from "@/server/whatsapp/simulator/dispatcher";
import type { Failures } from "@/server/whatsapp/simulator/failures";
import type { Journal } from "@/server/whatsapp/simulator/journal";
import type { SimulatorLog } from "@/server/whatsapp/simulator/log";
import type { MediaStore } from "@/server/whatsapp/simulator/media-store";
import type { Numbers } from "@/server/whatsapp/simulator/numbers";
import type { TemplateStore } from "@/server/whatsapp/simulator/template-store";

/** What every route of the simulator works with. */
export interface SimulatorContext {
  readonly numbers: Numbers;
  readonly failures: Failures;
  readonly templates: TemplateStore;
  readonly media: MediaStore;
  readonly journal: Journal;
  readonly dispatcher: Dispatcher;
  readonly log: SimulatorLog;
}
