import { randomInt } from "node:crypto";
import { join } from "node:path";
import { KeyedFile } from "./files";
import type { SimulatorLog } from "./simulator-context";
import {
  templateSchema,
  type Template,
  type TemplateState,
  stateByName,
  type TemplateRequest,
} from "./templates";

/** The templates of all accounts, in `templates.jsonl`: one for each account, name and language. */
export class TemplateStore {
  readonly #file: KeyedFile<Template>;
  #lastSerial: number;

  private constructor(file: KeyedFile<Template>) {
    this.#file = file;
    this.#lastSerial = Math.max(0, ...[...file.values()].map(({ serial }) => serial));
  }

  static async open(directory: string, log: SimulatorLog): Promise<TemplateStore> {
    return new TemplateStore(await KeyedFile.open(join(directory, "templates.jsonl"), templateSchema, log));
  }

  get(wabaId: string, name: string, language: string): Template | null {
    return this.#file.get(keyOf({ waba_id: wabaId, name, language }));
  }

  /** The templates of an account, oldest first. */
  ofAccount(wabaId: string): Template[] {
    return [...this.#file.values()].filter(({ waba_id }) => waba_id === wabaId).toSorted(bySerial);
  }

  /** Resolves when it is on disk. Null if the account already has one of this name and language. */
  async create(wabaId: string, request: TemplateRequest): Promise<Template | null> {
    if (this.get(wabaId, request.name, request.language) !== null) return null;
    this.#lastSerial += 1;
    const status = stateByName(request.name);
    const template: Template = {
      id: String(randomInt(1e14, 2.8e14)),
      waba_id: wabaId,
      ...request,
      status,
      reason: reasonByState[status],
      serial: this.#lastSerial,
    };
    await this.#file.set(keyOf(template), template);
    return template;
  }

  /** If `reason` is null, the usual one of the state is used. */
  async setState(template: Template, status: TemplateState, reason: string | null): Promise<Template> {
    const changed = { ...template, status, reason: reason ?? reasonByState[status] };
    await this.#file.set(keyOf(changed), changed);
    return changed;
  }

  delete(template: Template): Promise<void> {
    return this.#file.delete(keyOf(template));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const reasonByState = {
  APPROVED: "NONE",
  PENDING: "NONE",
  REJECTED: "INCORRECT_CATEGORY",
  PAUSED: "NONE",
  DISABLED: "NONE",
} as const satisfies Record<TemplateState, string>;

function keyOf({ waba_id, name, language }: Pick<Template, "waba_id" | "name" | "language">): string {
  return `${waba_id}/${name}/${language}`;
}

function bySerial(left: Template, right: Template): number {
  return left.serial - right.serial;
}
