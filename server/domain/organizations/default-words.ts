/**
 * Words that opt a customer out of marketing messages, unless the organization has set its own: those that text message
 * services stop for, and their usual translations.
 */
export const DEFAULT_OPT_OUT_WORDS: readonly string[] = [
  ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT", "OPT OUT"],
  // German
  ["STOPP", "ABMELDEN", "ABBESTELLEN"],
  // Spanish
  ["ALTO", "BAJA", "PARAR", "DETENER", "CANCELAR", "DESUSCRIBIR"],
  // French
  ["ARRET", "ARRÊT", "ARRETER", "ARRÊTER", "DESABONNER", "DÉSABONNER", "DESINSCRIRE", "DÉSINSCRIRE"],
  // Portuguese
  ["SAIR", "PARE", "DESCADASTRAR"],
  // Italian
  ["FERMA", "BASTA", "ANNULLA", "DISISCRIVI", "DISISCRIVIMI"],
  // Dutch
  ["STOPPEN", "AFMELDEN", "UITSCHRIJVEN"],
  // Danish, Norwegian, Swedish
  ["AFMELD", "AVMELD", "AVSLUTT", "AVSLUTA", "STOPPA"],
  // Polish
  ["ZATRZYMAJ", "REZYGNUJE", "REZYGNUJĘ"],
  // Russian
  ["СТОП", "ОТПИСАТЬСЯ"],
  // Greek
  ["ΣΤΟΠ"],
  // Turkish
  ["DUR", "İPTAL"],
  // Arabic
  ["إيقاف", "ايقاف", "توقف"],
  // Hebrew
  ["עצור", "הסר"],
  // Hindi
  ["रोकें"],
  // Thai
  ["หยุด"],
  // Vietnamese
  ["DỪNG"],
  // Indonesian, Malay
  ["BERHENTI"],
  // Chinese, Japanese
  ["停止", "退订", "退訂", "配信停止"],
  // Korean
  ["수신거부", "수신 거부"],
].flat();

/** Words that opt a customer in again. Not "yes", which answers many other questions. */
export const DEFAULT_OPT_IN_WORDS: readonly string[] = [
  ["START", "UNSTOP", "SUBSCRIBE", "OPTIN", "OPT IN"],
  // German
  ["STARTEN", "ANMELDEN"],
  // Spanish
  ["ALTA", "INICIAR", "COMENZAR", "SUSCRIBIR"],
  // French
  ["REPRENDRE", "ABONNER"],
  // Portuguese
  ["COMECAR", "COMEÇAR", "VOLTAR"],
  // Italian
  ["INIZIA", "ISCRIVI", "ISCRIVIMI"],
  // Dutch
  ["BEGINNEN", "AANMELDEN"],
  // Danish, Norwegian, Swedish
  ["TILMELD", "BÖRJA"],
  // Polish
  ["ZACZNIJ"],
  // Russian
  ["СТАРТ", "ПОДПИСАТЬСЯ"],
  // Greek
  ["ΣΤΑΡΤ"],
  // Turkish
  ["BAŞLAT", "ABONE OL"],
  // Arabic
  ["اشتراك"],
  // Hebrew
  ["התחל"],
  // Hindi
  ["शुरू करें"],
  // Thai
  ["สมัคร"],
  // Vietnamese
  ["ĐĂNG KÝ"],
  // Indonesian, Malay
  ["BERLANGGANAN", "LANGGAN"],
  // Chinese, Japanese
  ["订阅", "訂閱", "配信再開"],
  // Korean
  ["수신동의", "수신 동의"],
].flat();
