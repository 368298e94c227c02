interface Customer {
  readonly name: string | null;
  /** In digits. */
  readonly number: string | null;
  /** WhatsApp's id of the customer. */
  readonly userId: string | null;
  readonly isErased: boolean;
}

/** Formats a number as people write it. */
export function spelled(number: string): string {
  return `+${number}`;
}

/** Returns a customer's name for places with room for one line. */
export function customerName({ name, number, userId, isErased }: Customer): string {
  if (isErased) return "Erased contact";
  if (name !== null) return name;
  if (number !== null) return spelled(number);
  return userId ?? "Customer without a name";
}
