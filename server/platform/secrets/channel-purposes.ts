/** Encryption purpose of a channel's access token. */
export function accessTokenPurpose(channelId: string): string {
  return `channel-access-token:${channelId}`;
}

/** Encryption purpose of a channel's app secret. */
export function appSecretPurpose(channelId: string): string {
  return `channel-app-secret:${channelId}`;
}
