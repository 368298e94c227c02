"use client";

import { Code, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyIcon } from "@/app/ui/copy";
import { Time } from "@/app/ui/time";
import { ChannelNames } from "../../shared/channels-field";
import type { KeyDetail } from "../types";
import { scopesInWords } from "../words";
import styles from "./key.module.css";

const count = new Intl.NumberFormat("en");

/** Shows everything known about a key except its secrets. */
export function KeyFacts({ of: key }: { of: KeyDetail }) {
  return (
    <dl className={styles.facts} aria-live="polite">
      <Fact name="Last used">{key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} isExact />}</Fact>
      <Fact name="Expires">{key.expiresAt === null ? "never" : <Time at={key.expiresAt} isExact />}</Fact>
      <Fact name="Scopes">{scopesInWords(key.scopes)}</Fact>
      <Fact name="Channels">
        {key.channelIds === null ? "all, including future ones" : <ChannelNames ids={key.channelIds} />}
      </Fact>
      <Fact name="Limits">
        {count.format(key.sendLimit)} new messages and {count.format(key.readLimit)} other requests per minute
      </Fact>
      <Fact name="Created">
        <Time at={key.createdAt} isExact /> {createdBy(key)}
      </Fact>
      <Fact name="ID">
        <Group gap={4} wrap="nowrap">
          <Code>{key.id}</Code>
          <CopyIcon value={key.id} what="the ID" />
        </Group>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function createdBy({ createdBy: member, createdByName: name }: KeyDetail): string {
  if (member === null) return "by the server’s operator";
  return name === null ? "by a former member" : `by ${name}`;
}
