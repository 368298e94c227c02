"use client";

import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { Page } from "@/app/ui/admin-page";
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
    <Page
      title={`Phone of ${isNumber ? "+" : ""}${name.customer}`}
      lead={
        <Anchor component={PageLink} href={path("/phone")} inherit>
          All phones
        </Anchor>
      }
    >
      <QueryState query={query}>
        {(view) => (
          <PhoneNameProvider value={name}>
            <OpenPhone view={view} />
          </PhoneNameProvider>
        )}
      </QueryState>
    </Page>
  );
}

function OpenPhone({ view }: { view: PhoneView }) {
  const mayAct = useMay()("messages.send");
  const [quoted, setQuoted] = useState<PhoneMessage | null>(null);
  return (
    <div className={styles.columns}>
      <section className={styles.phone} aria-label="Phone">
        <header className={styles.head}>
          <span className={styles.avatar} aria-hidden>
            W
          </span>
          <div>
            <Text fw={650} lh={1.2}>
              {view.business.display_phone_number}
            </Text>
            <Text size="sm" className={styles.presence} aria-live="polite">
              {view.is_typing ? "typing…" : "Business account"}
            </Text>
          </div>
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
          <NextOutcome view={view} />
          <PhoneSettings customer={view.customer} />
        </div>
      ) : null}
    </div>
  );
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
