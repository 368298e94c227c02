"use client";

import { Checkbox, Radio, Stack, TextInput } from "@mantine/core";
import { Words } from "@/app/ui/words";
import { ChannelsField } from "../shared/channels-field";
import type { ChosenType, Endpoint } from "./types";
import { CHOSEN_TYPE_NAMES, CHOSEN_TYPES } from "./words";

/** What is typed of an endpoint. */
export interface EndpointValues {
  /** Null: its events are fetched. */
  readonly url: string | null;
  readonly events: readonly ChosenType[];
  readonly description: string;
  readonly channelIds: string[] | null;
}

export const NEW_ENDPOINT: EndpointValues = {
  url: "",
  events: CHOSEN_TYPE_NAMES,
  description: "",
  channelIds: null,
};

export function valuesOf({ url, events, description, channel_ids }: Endpoint): EndpointValues {
  return {
    url,
    events: CHOSEN_TYPE_NAMES.filter((name) => events.includes(name)),
    description,
    channelIds: channel_ids === null ? null : [...channel_ids],
  };
}

/** The fields that a refusal can name. */
export const FIELDS = ["url", "events", "description", "channel_ids"] as const;

type FaultAt = (field: (typeof FIELDS)[number]) => string | null;

interface Props {
  readonly values: EndpointValues;
  readonly onChange: (some: Partial<EndpointValues>) => void;
  readonly faultAt: FaultAt;
}

/** Whether events are sent or fetched: that is chosen once. */
export function WayField({ values: { url }, onChange }: Omit<Props, "faultAt">) {
  return (
    <Radio.Group
      label="How events get there"
      value={url === null ? "fetch" : "send"}
      onChange={(way) => onChange({ url: way === "fetch" ? null : "" })}
    >
      <Stack gap="xs" mt="xs">
        <Radio
          value="send"
          label="Waypost sends them to a URL"
          description="At once, and again where it fails."
        />
        <Radio
          value="fetch"
          label="Your program fetches them"
          description="From behind a firewall, or for a developer’s machine. They are kept for seven days."
        />
      </Stack>
    </Radio.Group>
  );
}

/** Everything else of an endpoint; the URL where it has one. */
export function EndpointFields({ values, onChange, faultAt }: Props) {
  const urlFault = faultAt("url");
  return (
    <>
      {values.url === null ? null : (
        <TextInput
          label="URL"
          description="A public https address of your program, without a user name or a password."
          placeholder="https://"
          type="url"
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={values.url}
          error={urlFault === null ? null : <Words>{urlFault}</Words>}
          onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
        />
      )}
      <Checkbox.Group
        label="Events"
        description="What it is told of. Tests come in any case."
        value={[...values.events]}
        error={faultAt("events")}
        onChange={(chosen) => onChange({ events: CHOSEN_TYPE_NAMES.filter((name) => chosen.includes(name)) })}
      >
        <Stack gap={8} mt="xs">
          {CHOSEN_TYPE_NAMES.map((name) => (
            <Checkbox key={name} value={name} label={name} description={CHOSEN_TYPES[name]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <TextInput
        label="Description"
        description="For people: which program it is, such as “Shop, order notices”."
        autoComplete="off"
        value={values.description}
        error={faultAt("description")}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
      <ChannelsField
        description="It is told of messages on these only."
        value={values.channelIds}
        error={faultAt("channel_ids")}
        onChange={(channelIds) => onChange({ channelIds })}
      />
    </>
  );
}
