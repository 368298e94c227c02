import type { Clock } from "./clock";
import type { ClockFollowers } from "./clock-followers";
import type { Dispatcher } from "./dispatcher";
import type { Faults } from "./faults";
import type { Journal } from "./journal";
import type { LinkedMedia } from "./linked-media";
import type { MediaStore } from "./media";
import type { NextOutcomes } from "./next-outcomes";
import type { Numbers, Failures } from "./numbers";
import type { Phones } from "./phones";
import type { TemplateStore } from "./template-store";

/** The part of a pino logger that the simulator uses. It never receives a token, a secret or message text. */
export interface SimulatorLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Dependencies shared by the simulator's routes. */
export interface SimulatorContext {
  readonly clock: Clock;
  readonly followers: ClockFollowers;
  readonly numbers: Numbers;
  readonly failures: Failures;
  readonly faults: Faults;
  readonly nextOutcomes: NextOutcomes;
  readonly templates: TemplateStore;
  readonly media: MediaStore;
  readonly linkedMedia: LinkedMedia;
  readonly journal: Journal;
  readonly phones: Phones;
  readonly dispatcher: Dispatcher;
  readonly log: SimulatorLog;
}
