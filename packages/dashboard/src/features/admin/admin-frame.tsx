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
		people: "Who is here",
		service: "The service",
		system: "System",
		jobs: "Jobs",
		audit: "Audit log",
		closed: "Not for this account",
		closedText: "Only superadmins look after the whole installation.",
	},
	es: {
		admin: "Administración",
		users: "Usuarios",
		organizations: "Organizaciones",
		people: "Quién hay aquí",
		service: "El servicio",
		system: "Sistema",
		jobs: "Tareas",
		audit: "Registro de auditoría",
		closed: "No es para esta cuenta",
		closedText: "Solo los superadministradores se ocupan de toda la instalación.",
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

/** What the screens stand in by which superadmins look after the installation; others are told that they are not theirs. */
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
