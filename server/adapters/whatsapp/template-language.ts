/**
 * Format of WhatsApp's codes for a template's language: `en`, `fil`, `en_US`, `zh_Hant`
 * (https://developers.facebook.com/docs/whatsapp/business-management-api/message-templates/supported-languages).
 */
export const TEMPLATE_LANGUAGE = /^[a-z]{2,3}(_([A-Z]{2}|[A-Z][a-z]{3}))?$/;
