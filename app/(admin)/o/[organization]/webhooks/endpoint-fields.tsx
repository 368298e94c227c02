"use client";

import { Checkbox, Radio, Stack, TextInput } from "@mantine/core";
import { Words } from "@/app/ui/words";
import { ChannelsField } from "../shared/channels-field";
import type { ChosenType, Endpoint } from "./types";
import { CHOSEN_TYPE_NAMES, CHOSEN_TYPES } from "./words";

/** The form values of an endpoint. */
export interface EndpointValues {
  /** Null if its events are fetched. */
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

/** The fields that an error can name. */
export const FIELDS = ["url", "events", "description", "channel_ids"] as const;

type FaultAt = (field: (typeof FIELDS)[number]) => string | null;

interface Props {
  readonly values: EndpointValues;
  readonly onChange: (some: Partial<EndpointValues>) => void;
  readonly faultAt: FaultAt;
}

/** Chooses whether events are sent or fetched. The choice is final. */
export function WayField({ values: { url }, onChange }: Omit<Props, "faultAt">) {
  return (
    <Radio.Group
      label="Delivery method"
      value={url === null ? "fetch" : "send"}
      onChange={(way) => onChange({ url: way === "fetch" ? null : "" })}
    >
      <Stack gap="xs" mt="xs">
        <Radio
          value="send"
          label="Waypost sends events to a URL"
          description="Immediately, with retries if an attempt fails."
        />
        <Radio
          value="fetch"
          label="Your program fetches events"
          description="For programs behind a firewall, or on a developer’s machine. Events are kept for seven days."
        />
      </Stack>
    </Radio.Group>
  );
}

/** All other fields of an endpoint, including the URL if it has one. */
export function EndpointFields({ values, onChange, faultAt }: Props) {
  const urlFault = faultAt("url");
  return (
    <>
      {values.url === null ? null : (
        <TextInput
          label="URL"
          description="A public https URL of your program, without a user name or password."
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
        description="The events that this endpoint gets. It always gets test events."
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
        description="A name for your team, such as “Shop, order notices”."
        autoComplete="off"
        value={values.description}
        error={faultAt("description")}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
      <ChannelsField
        description="The endpoint gets events for messages on these channels only."
        value={values.channelIds}
        error={faultAt("channel_ids")}
        onChange={(channelIds) => onChange({ channelIds })}
      />
    </>
  );
}
