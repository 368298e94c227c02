"use client";

import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type RefObject, useRef, useState } from "react";
import { Page } from "@/app/ui/admin-page";
import { CopyText } from "@/app/ui/copy";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { count } from "@/app/ui/format";
import { PageLink } from "@/app/ui/page-link";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { AuditTrail } from "../../audit/audit-trail";
import { ChannelNames } from "../../shared/channels-field";
import { EntityPage } from "../../shared/entity-page";
import { useMay, usePath } from "../../shared/viewer";
import { ChangeKey } from "../change-key";
import { KeyTags } from "../key-tags";
import { RevealSecret } from "../reveal-secret";
import { RevokeKey } from "../revoke-key";
import { RotateKey } from "../rotate-key";
import type { KeyDetail, NewSecret } from "../types";
import { useBaseUrl } from "../use-base-url";
import { scopesInWords } from "../words";
import { KeySecrets } from "./key-secrets";
import { KeyUsage } from "./key-usage";
import styles from "./key.module.css";

/** Uses arrive on their own. */
const REFRESH_MS = 5_000;

const DIALOGS = ["rotate", "change", "revoke"] as const;
type KeyDialog = (typeof DIALOGS)[number];

export function KeyPage({ keyId }: { keyId: string }) {
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.keys.get.queryOptions({ keyId }), refetchInterval: REFRESH_MS });
  return (
    <EntityPage kind="API key" query={query}>
      {(key) => <OneKey of={key} />}
    </EntityPage>
  );
}

function OneKey({ of: key }: { of: KeyDetail }) {
  const path = usePath();
  const may = useMay();
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(DIALOGS));
  const [made, setMade] = useState<NewSecret | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => void setDialog(null);
  const open = (name: KeyDialog) => void setDialog(name, { history: "push" });
  const isLive = key.status === "live";
  return (
    <>
      <Page
        title={
          <span>
            {key.name} <KeyTags of={key} />
          </span>
        }
        lead={
          <Anchor component={PageLink} href={path("/keys")} inherit>
            All API keys
          </Anchor>
        }
        actions={<Actions of={key} opener={opener} onOpen={open} />}
      >
        <Advice of={key} />
        <KeyFacts of={key} />
        {isLive ? <KeySecrets of={key} /> : null}
        {isLive ? <TryIt /> : null}
        {may("usage.read") ? <KeyUsage of={key} /> : null}
        {may("audit.read") ? <AuditTrail subjectKind="key" subjectId={key.id} /> : null}
      </Page>
      {isLive ? (
        <RotateKey
          of={key}
          isOpen={dialog === "rotate"}
          onClose={close}
          onMade={(secret) => {
            close();
            setMade(secret);
          }}
        />
      ) : null}
      {key.status === "revoked" ? null : (
        <>
          <ChangeKey of={key} isOpen={dialog === "change"} onClose={close} />
          <RevokeKey of={key} isOpen={dialog === "revoke"} onClose={close} />
        </>
      )}
      <RevealSecret made={made} opener={opener} onClose={() => setMade(null)} />
    </>
  );
}

/** The actions for the key. */
function Actions({
  of: { status },
  opener,
  onOpen,
}: {
  of: KeyDetail;
  /** The button that creates a new secret. */
  opener: RefObject<HTMLButtonElement | null>;
  onOpen: (dialog: KeyDialog) => void;
}) {
  if (status === "revoked") return null;
  return (
    <>
      {status === "live" ? (
        <Button ref={opener} onClick={() => onOpen("rotate")}>
          Rotate secret
        </Button>
      ) : null}
      <Button variant="default" onClick={() => onOpen("change")}>
        Change
      </Button>
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => onOpen("revoke")}>
        Revoke
      </Button>
    </>
  );
}

/** Says which action the key's state needs. */
function Advice({ of: key }: { of: KeyDetail }) {
  if (key.status === "revoked" && key.revokedAt !== null) {
    return (
      <Alert color="gray" variant="light">
        This key was revoked <Time at={key.revokedAt} />. Every request with it is refused. This can’t be
        undone.
      </Alert>
    );
  }
  if (key.status === "expired" && key.expiresAt !== null) {
    return (
      <Alert color="yellow" variant="light">
        This key expired <Time at={key.expiresAt} />. It can’t be reactivated. Create a new key for its
        program.
      </Alert>
    );
  }
  if (key.expiresSoon && key.expiresAt !== null) {
    return (
      <Alert color="yellow" variant="light">
        This key expires <Time at={key.expiresAt} />. After that, its requests are refused. Change the expiry
        or give its program another key.
      </Alert>
    );
  }
  if (key.isUnused) {
    return (
      <Alert color="yellow" variant="light">
        No program has used this key for a long time. If no program needs it, revoke it: nobody would notice
        the misuse of an unused key.
      </Alert>
    );
  }
  return null;
}

const LINE = (baseUrl: string) =>
  `curl -sS ${baseUrl}/api/public/v1/ping -H "Authorization: Bearer $WAYPOST_KEY"`;

function TryIt() {
  const baseUrl = useBaseUrl();
  const line = LINE(baseUrl);
  return (
    <Stack component="section" gap="xs" aria-labelledby="try-it">
      <h2 id="try-it" className={styles.heading}>
        Try it
      </h2>
      <Text size="sm">
        With its secret in <code>WAYPOST_KEY</code>, this command shows which key it is and what it may do.
      </Text>
      <pre className={styles.line}>
        <code>{line}</code>
      </pre>
      <Group>
        <CopyText value={line} label="Copy command" />
      </Group>
    </Stack>
  );
}

/** Shows everything known about a key except its secrets. */
function KeyFacts({ of: key }: { of: KeyDetail }) {
  return (
    <Section title="Details">
      <div aria-live="polite">
        <Facts>
          <Fact name="Last used">
            {key.lastUsedAt === null ? "never" : <Time at={key.lastUsedAt} isExact />}
          </Fact>
          <Fact name="Expires">{key.expiresAt === null ? "never" : <Time at={key.expiresAt} isExact />}</Fact>
          <Fact name="Scopes">{scopesInWords(key.scopes)}</Fact>
          <Fact name="Channels">
            {key.channelIds === null ? "all, including future ones" : <ChannelNames ids={key.channelIds} />}
          </Fact>
          <Fact name="Limits">
            {count.format(key.sendLimit)} new messages and {count.format(key.readLimit)} other requests per
            minute
          </Fact>
          <Fact name="Created">
            <Time at={key.createdAt} isExact /> {createdBy(key)}
          </Fact>
          <IdFact name="ID" value={key.id} />
        </Facts>
      </div>
    </Section>
  );
}

function createdBy({ createdBy: member, createdByName: name }: KeyDetail): string {
  if (member === null) return "by the server’s operator";
  return name === null ? "by a former member" : `by ${name}`;
}
