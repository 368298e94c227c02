"use client";

import { Text, TextInput } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import type { Field } from "./connect-values";
import { SecretField } from "./secret-field";

const TYPED = { autoComplete: "off", spellCheck: false } as const;

interface FieldProps {
  readonly name: Field;
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (event: { currentTarget: { value: string } }) => void;
}

/** The fields of a number, in the order in which they are found at Meta. */
export function NumberFields({ field }: { readonly field: (name: Field) => FieldProps }) {
  return (
    <>
      <TextInput
        {...TYPED}
        {...field("name")}
        label="Name"
        description="For your colleagues, such as “Shop”"
        required
        data-autofocus
      />
      <TextInput
        {...TYPED}
        {...field("phoneNumberId")}
        label="Phone number ID"
        description={
          <Term
            at={["App Dashboard", "WhatsApp", "API Setup", "Phone number ID"]}
            shape="15 to 17 digits, such as 106540352242922"
          >
            Meta’s ID of the number that sends your messages. It isn’t the phone number itself.
          </Term>
        }
        inputMode="numeric"
        required
      />
      <TextInput
        {...TYPED}
        {...field("wabaId")}
        label="WhatsApp Business Account ID"
        description={
          <Term
            at={["App Dashboard", "WhatsApp", "API Setup", "WhatsApp Business Account ID"]}
            shape="15 to 17 digits, such as 102290129340398"
          >
            The account that owns the number and its templates. It stands beside the phone number ID.
          </Term>
        }
        inputMode="numeric"
        required
      />
      <SecretField
        {...field("accessToken")}
        label="Access token"
        description={
          <Term
            at={["Business settings", "Users", "System users", "Generate token"]}
            shape="begins with EAA, about 200 characters"
          >
            With it, Waypost sends messages. Generate it for a system user who has your app and the account
            among the assigned assets. Choose the expiration “Never” and the permissions
            whatsapp_business_messaging and whatsapp_business_management.
          </Term>
        }
        required
      />
      <SecretField
        {...field("appSecret")}
        label="App secret"
        description={
          <Term
            at={["App Dashboard", "App settings", "Basic", "App secret", "Show"]}
            shape="32 digits and letters from a to f"
          >
            Meta signs its callbacks with it, so that Waypost recognizes them. Use the secret of the app for
            which you generated the token.
          </Term>
        }
        required
      />
      <TextInput
        {...TYPED}
        {...field("verifyToken")}
        label="Verify token"
        description={
          <Term
            at={["App Dashboard", "WhatsApp", "Configuration", "Verify token"]}
            shape="any text without spaces"
            verb="Enter it later at"
          >
            A password that Meta sends once, to verify the callback URL. Leave this empty to generate one.
          </Term>
        }
      />
    </>
  );
}

/** Explains one of Meta's terms: its meaning, its place and its shape. */
function Term({
  at,
  shape,
  verb = "Find it at",
  children,
}: {
  /** The names to click on, one after the other. */
  readonly at: readonly string[];
  readonly shape: string;
  readonly verb?: string;
  readonly children: ReactNode;
}) {
  return (
    <Text span display="block" fz="inherit" lh={1.5}>
      {children}
      <Text span display="block" inherit>
        {verb}{" "}
        {at.map((name, place) => (
          <Fragment key={name}>
            {place === 0 ? null : " › "}
            <Text span fz="inherit" fw={600} c="var(--mantine-color-text)">
              {name}
            </Text>
          </Fragment>
        ))}
        <br />
        Format: {shape}
      </Text>
    </Text>
  );
}
