import { procedure } from "@/server/core/procedure";
import { t } from "@/server/core/trpc";
import { actInput, actOnPhone } from "./act";
import { getPhone, getPhoneInput } from "./get";
import { getPhoneFile, getPhoneFileInput } from "./get-file";
import { listPhoneChoices } from "./list-choices";
import { setNextOutcome, setNextOutcomeInput } from "./set-next-outcome";

const read = { capability: "messages.read", bucket: null, status: 200, statuses: [200] } as const;
const act = { ...read, capability: "messages.send" } as const;
const codes = ["channel_not_found", "phone_not_available"] as const;

/** For members only: none of these is a route of the public API. */
export const phoneRouter = t.router({
  choices: procedure({ ...read, errors: [] }).query(listPhoneChoices),
  get: procedure({ ...read, errors: codes })
    .input(getPhoneInput)
    .query(getPhone),
  file: procedure({ ...read, errors: codes })
    .input(getPhoneFileInput)
    .query(getPhoneFile),
  act: procedure({ ...act, errors: codes })
    .input(actInput)
    .mutation(actOnPhone),
  setNextOutcome: procedure({ ...act, errors: codes })
    .input(setNextOutcomeInput)
    .mutation(setNextOutcome),
});
