import { Outlet } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { SideNav } from "../../ui/side-nav/side-nav.tsx";
import { useSite } from "../site/index.ts";
import { usePlan } from "./plan-lock.tsx";
import { settingsScreens } from "./settings-screens.ts";

const t = texts({ en: { settings: "Site settings" }, es: { settings: "Ajustes del sitio" } });

/** Frame of a site's settings. */
export function SettingsFrame() {
	const { id, role } = useSite();
	const planHas = usePlan();
	return (
		<SideNav label={t.settings} groups={settingsScreens(id, { role, planHas })}>
			<Outlet />
		</SideNav>
	);
}
