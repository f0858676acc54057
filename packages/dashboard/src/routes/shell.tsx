import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { ConnectionBanner } from "../features/account/index.ts";
import { PaletteHost, usePaletteKey } from "../features/palette/index.ts";
import { preferencesQuery } from "../features/preferences/index.ts";
import { setShortcuts } from "../lib/keys.ts";
import { lazily } from "../lib/lazily.ts";
import { useLater } from "../lib/use-later.ts";

const Banners = lazily(() => import("../features/account/banners.tsx").then((part) => ({ default: part.Banners })));

/** Layout around all screens of a signed-in user. */
export function Shell() {
	useFocusOnNavigation();
	usePaletteKey();
	const isLater = useLater();
	const { data: preferences } = useQuery({ ...preferencesQuery, enabled: isLater });
	const hasShortcuts = preferences?.shortcuts ?? true;
	// The keyboard is outside of React.
	useEffect(() => setShortcuts(hasShortcuts), [hasShortcuts]);
	const density = preferences?.density ?? "comfortable";
	// So is the document.
	useEffect(() => {
		document.documentElement.dataset["density"] = density;
	}, [density]);
	return (
		<>
			<Suspense>{isLater && <Banners />}</Suspense>
			<ConnectionBanner />
			<Outlet />
			<Suspense>
				<PaletteHost />
			</Suspense>
		</>
	);
}

/** After a change of the screen the focus goes to its title, so that keys and screen readers begin there. */
function useFocusOnNavigation(): void {
	const router = useRouter();
	// The focus is outside of React.
	useEffect(
		() =>
			router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
				const main = document.querySelector("main");
				if (!pathChanged || fromLocation === undefined || main === null || main.contains(document.activeElement))
					return;
				const target = main.querySelector("h1") ?? main;
				target.tabIndex = -1;
				target.focus({ preventScroll: true });
			}),
		[router],
	);
}
