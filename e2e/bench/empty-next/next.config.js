/** Without a configuration of its own, Next would use that of Waypost. */
export default {};
