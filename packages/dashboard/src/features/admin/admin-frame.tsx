import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { texts } from "../../lib/language.ts";
import { SideNav } from "../../ui/side-nav/side-nav.tsx";
import { OuterFrame } from "../account/index.ts";
import { meQuery } from "../site/index.ts";

const t = texts({
	en: {
		admin: "Administration",
		users: "Users",
		organizations: "Organizations",
		people: "Accounts",
		service: "Service",
		system: "System",
		jobs: "Jobs",
		audit: "Audit log",
		closed: "Access denied",
		closedText: "Only superadmins can access the administration.",
	},
	es: {
		admin: "Administración",
		users: "Usuarios",
		organizations: "Organizaciones",
		people: "Cuentas",
		service: "Servicio",
		system: "Sistema",
		jobs: "Tareas",
		audit: "Registro de auditoría",
		closed: "Acceso denegado",
		closedText: "Solo los superadministradores pueden acceder a la administración.",
	},
});

const screens = {
	users: "/admin/users",
	organizations: "/admin/organizations",
	system: "/admin/system",
	jobs: "/admin/jobs",
	audit: "/admin/audit",
} as const;

const groups = [
	{
		label: t.people,
		links: (["users", "organizations"] as const).map((name) => ({ to: screens[name], label: t[name] })),
	},
	{
		label: t.service,
		links: (["system", "jobs", "audit"] as const).map((name) => ({ to: screens[name], label: t[name] })),
	},
];

/** The name of a screen in its address. */
export type AdminScreen = keyof typeof screens;

interface AdminFrameProps {
	readonly screen: AdminScreen;
	/** Stands at the end of the title's row. */
	readonly actions?: ReactNode;
	readonly children: ReactNode;
}

/** Frame of the administration screens. Users who are no superadmin see that the screen is not for them. */
export function AdminFrame({ screen, actions, children }: AdminFrameProps) {
	const { data: me } = useSuspenseQuery(meQuery);
	if (me.role !== "superadmin") {
		return (
			<OuterFrame title={t.closed}>
				<p>{t.closedText}</p>
			</OuterFrame>
		);
	}
	return (
		<OuterFrame title={t[screen]} actions={actions}>
			<SideNav label={t.admin} groups={groups}>
				{children}
			</SideNav>
		</OuterFrame>
	);
}
