import { texts } from "../../lib/language.ts";

/** Words of the keys that work before the palette has come. */
export const t = texts({
	en: {
		showKeys: "Show all shortcuts",
		goTo: "Go to a screen: a second key follows",
	},
	es: {
		showKeys: "Mostrar todos los atajos",
		goTo: "Ir a una pantalla: sigue otra tecla",
	},
});
