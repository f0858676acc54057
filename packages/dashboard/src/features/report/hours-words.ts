import { texts } from "../../lib/language.ts";

/** Title of the card of hours and weekdays. */
export const hoursTitle = texts({ en: "Hours and weekdays", es: "Horas y días" });
