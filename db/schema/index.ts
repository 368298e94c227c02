export * from "./audit";
export * from "./callbacks";
export * from "./channels";
export * from "./contacts";
export * from "./keys";
export * from "./messages";
export * from "./organizations";
export { newId } from "./columns";
