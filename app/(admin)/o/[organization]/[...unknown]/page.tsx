import { notFound } from "next/navigation";

/** A page that doesn’t exist is said to be unknown within the app, with its navigation. */
export default function UnknownPage() {
  notFound();
}
