import { useNavigate, useParams } from "@tanstack/react-router";
import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { type Shortcut, useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { changed, readSearch, shared, siteScreens, useSiteSearch } from "../site/index.ts";
import { isOpen, open, openHelp, subscribe } from "./open.ts";

/** Words of the keys that work before the palette has come. */
const t = texts({
	en: {
		showKeys: "Show all shortcuts",
		goTo: "Go to a screen: a second key follows",
	},
	es: {
		showKeys: "Mostrar todos los atajos",
		goTo: "Ir a una pantalla: sigue otra tecla",
	},
});

const Palette = lazily(() => import("./palette.tsx").then((part) => ({ default: part.Palette })));
const Help = lazily(() => import("./help.tsx").then((part) => ({ default: part.Help })));

/** How long after G the second key may come. */
const secondKeyMs = 1_500;

/** Keyboard shortcuts of all screens and the dialogs they open. */
export function PaletteHost() {
	const opened = useSyncExternalStore(subscribe, isOpen);
	return (
		<>
			<GoKeys />
			<Suspense>
				{opened === "search" && <Palette onClose={() => open(undefined)} />}
				{opened === "help" && <Help onClose={() => open(undefined)} />}
			</Suspense>
		</>
	);
}

/** G, then the letter of a screen. */
function GoKeys() {
	const [isArmed, setIsArmed] = useState(false);
	const { id } = useParams({ strict: false }) as { id?: string };
	const search = useSiteSearch();
	const navigate = useNavigate();
	const screens = id === undefined ? [] : siteScreens;
	const go = (to: (typeof siteScreens)[number]["to"]) =>
		void navigate({ to, params: { id: id ?? "" }, search: changed(readSearch({}), shared(search)) });
	// A clock is outside of React.
	useEffect(() => {
		if (!isArmed) return;
		const timer = setTimeout(() => setIsArmed(false), secondKeyMs);
		return () => clearTimeout(timer);
	}, [isArmed]);
	useShortcuts([
		{ key: "?", label: t.showKeys, run: openHelp },
		...(screens.length > 0 ? [{ key: "g", label: t.goTo, run: () => setIsArmed(true) }] : []),
		// Never pressed as they stand here: they tell the help what follows G.
		...screens.map(({ key, label, to }) => ({ key: `g ${key}`, label, run: () => go(to) })),
	]);
	const ending = (run: () => void) => () => {
		setIsArmed(false);
		run();
	};
	if (!isArmed) return null;
	return <Keys list={screens.map(({ key, label, to }) => ({ key, label, run: ending(() => go(to)) }))} />;
}

/** Shortcuts that win over all others as long as they are there. */
function Keys({ list }: { readonly list: readonly Shortcut[] }) {
	useShortcuts(list);
	return null;
}
