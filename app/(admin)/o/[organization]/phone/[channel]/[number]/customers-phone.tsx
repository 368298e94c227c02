"use client";

import { ActionIcon, Anchor, Button, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { IconArrowLeft, IconSettings } from "@/app/ui/icons";
import { PageLink } from "@/app/ui/page-link";
import { Fault, QueryState } from "@/app/ui/query-state";
import { useAction } from "@/app/ui/use-action";
import { useMay, usePath } from "../../../shared/viewer";
import { Composer } from "./composer";
import { NextOutcome } from "./next-outcome";
import { PhoneSettings } from "./phone-settings";
import styles from "./phone.module.css";
import { Thread } from "./thread";
import {
  type PhoneMessage,
  type PhoneName,
  PhoneNameProvider,
  type PhoneView,
  useCustomerAction,
  usePhoneView,
} from "./use-phone";

/** The phone of a simulated channel's customer: their messages with the channel, and what they can do. */
export function CustomersPhone(name: PhoneName) {
  const query = usePhoneView(name);
  const path = usePath();
  const isNumber = /^\d+$/.test(name.customer);
  return (
    <div className={styles.page}>
      <div className={styles.heading}>
        <Title order={1}>
          Phone of {isNumber ? "+" : ""}
          {name.customer}
        </Title>
        <Anchor component={PageLink} href={path("/phone")}>
          All phones
        </Anchor>
      </div>
      <QueryState query={query}>
        {(view) => (
          <PhoneNameProvider value={name}>
            <OpenPhone view={view} />
          </PhoneNameProvider>
        )}
      </QueryState>
    </div>
  );
}

function OpenPhone({ view }: { view: PhoneView }) {
  const mayAct = useMay()("messages.send");
  const path = usePath();
  const [quoted, setQuoted] = useState<PhoneMessage | null>(null);
  const { isBeside, setIsBeside, opener, closer } = useBeside();
  return (
    <div className={styles.columns} data-fills-screen data-beside={isBeside || undefined}>
      <section className={styles.phone} aria-label="Phone">
        <header className={styles.head}>
          <ActionIcon
            component={PageLink}
            href={path("/phone")}
            hiddenFrom="xs"
            variant="transparent"
            c="inherit"
            aria-label="All phones"
          >
            <IconArrowLeft size={20} aria-hidden />
          </ActionIcon>
          <span className={styles.avatar} aria-hidden>
            W
          </span>
          <div className={styles.business}>
            <Text fw={650} lh={1.2}>
              {view.business.display_phone_number}
            </Text>
            <Text size="sm" className={styles.presence} aria-live="polite">
              {view.is_typing ? "typing…" : "Business account"}
            </Text>
          </div>
          {mayAct ? (
            <ActionIcon
              hiddenFrom="xs"
              variant="transparent"
              c="inherit"
              ref={opener}
              aria-label="Test settings"
              onClick={() => setIsBeside(true)}
            >
              <IconSettings size={20} aria-hidden />
            </ActionIcon>
          ) : null}
        </header>
        <Thread view={view} mayAct={mayAct} onQuote={setQuoted} />
        {mayAct ? (
          <>
            <Unread messages={view.messages} />
            <Composer files={view.camera_roll} quoted={quoted} onQuote={setQuoted} />
          </>
        ) : null}
      </section>
      {mayAct ? (
        <div className={styles.beside}>
          <Button ref={closer} hiddenFrom="xs" variant="default" onClick={() => setIsBeside(false)}>
            Back to the phone
          </Button>
          <NextOutcome view={view} />
          <PhoneSettings customer={view.customer} />
        </div>
      ) : null}
    </div>
  );
}

/** On a narrow screen, either the phone or its settings fill the screen, and the focus goes along. */
function useBeside() {
  const [isBeside, setIsBeside] = useState<boolean | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const closer = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isBeside !== null) (isBeside ? closer : opener).current?.focus();
  }, [isBeside]);
  return { isBeside, setIsBeside, opener, closer };
}

/** Lets the customer read what they haven’t read yet. */
function Unread({ messages }: { messages: readonly PhoneMessage[] }) {
  const perform = useCustomerAction();
  const act = useAction(() => perform({ kind: "read" }));
  const count = messages.filter(({ from, state }) => from === "business" && state === "delivered").length;
  if (count === 0) return null;
  return (
    <div className={styles.unread}>
      <Fault of={act.faultBeside()} />
      <span>{count === 1 ? "1 unread message" : `${count} unread messages`}</span>
      <Button size="compact-sm" variant="light" loading={act.isBusy} onClick={act.run}>
        Read
      </Button>
    </div>
  );
}
