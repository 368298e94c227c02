/** What a channel's access token is encrypted for. */
export function accessTokenPurpose(channelId: string): string {
  return `channel-access-token:${channelId}`;
}

/** What a channel's app secret is encrypted for. */
export function appSecretPurpose(channelId: string): string {
  return `channel-app-secret:${channelId}`;
}
