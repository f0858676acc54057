import { Outlet } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { SideNav } from "../../ui/side-nav/side-nav.tsx";
import { useSite } from "../site/index.ts";
import { settingsScreens } from "./settings-screens.ts";

const t = texts({ en: { settings: "Settings of the site" }, es: { settings: "Ajustes del sitio" } });

/** What all settings of a site stand in. */
export function SettingsFrame() {
	const { id } = useSite();
	return (
		<SideNav label={t.settings} groups={settingsScreens(id)}>
			<Outlet />
		</SideNav>
	);
}
