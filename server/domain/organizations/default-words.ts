/**
 * Words that opt a customer out of marketing messages, unless the organization has set its own: those that text message
 * services stop for, and their usual translations.
 */
export const DEFAULT_OPT_OUT_WORDS: readonly string[] = [
  ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "OPTOUT", "OPT OUT"],
  // German
  ["STOPP", "ABMELDEN", "ABBESTELLEN"],
  // Spanish
  ["ALTO", "BAJA", "PARAR", "DETENER", "CANCELAR"],
  // French
  ["ARRET", "ARRÊT", "ARRETER", "ARRÊTER", "DESABONNER", "DÉSABONNER", "DESINSCRIRE", "DÉSINSCRIRE"],
  // Portuguese
  ["SAIR", "PARE", "DESCADASTRAR"],
  // Italian
  ["FERMA", "BASTA", "DISISCRIVIMI"],
  // Dutch
  ["STOPPEN", "AFMELDEN", "UITSCHRIJVEN"],
  // Danish, Norwegian, Swedish
  ["AFMELD", "AVMELD", "AVSLUTT", "AVSLUTA", "STOPPA"],
  // Polish
  ["ZATRZYMAJ", "REZYGNUJE", "REZYGNUJĘ"],
  // Russian
  ["СТОП", "ОТПИСАТЬСЯ"],
].flat();

/** Words that opt a customer in again. Not "yes", which answers many other questions. */
export const DEFAULT_OPT_IN_WORDS: readonly string[] = [
  ["START", "UNSTOP", "SUBSCRIBE", "OPTIN", "OPT IN"],
  // German
  ["STARTEN", "ANMELDEN"],
  // Spanish
  ["ALTA", "INICIAR", "COMENZAR"],
  // French
  ["REPRENDRE", "ABONNER"],
  // Portuguese
  ["COMECAR", "COMEÇAR", "VOLTAR"],
  // Italian
  ["INIZIA", "ISCRIVIMI"],
  // Dutch
  ["BEGINNEN", "AANMELDEN"],
  // Danish, Norwegian, Swedish
  ["TILMELD", "BÖRJA"],
  // Polish
  ["ZACZNIJ"],
  // Russian
  ["СТАРТ", "ПОДПИСАТЬСЯ"],
].flat();
