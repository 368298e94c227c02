/** Returns a shell command for a request about the endpoint whose id is in `ID`. */
export const onEndpoint = (way: string, method?: string) =>
  `curl -sS ${method === undefined ? "" : `-X ${method} `}"$WAYPOST_URL/api/public/v1/webhooks/$ID${way}" \\
  -H "Authorization: Bearer $WAYPOST_KEY"`;
