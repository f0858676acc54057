import { texts } from "../../lib/language.ts";

/** What the card of hours and weekdays is called. */
export const hoursTitle = texts({ en: "Hours and weekdays", es: "Horas y días de la semana" });
