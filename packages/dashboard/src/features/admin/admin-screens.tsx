import { useParams } from "@tanstack/react-router";
import type { ComponentType } from "react";
import type { AdminScreen } from "./admin-frame.tsx";
import { AuditScreen } from "./audit-screen.tsx";
import { JobsScreen } from "./jobs-screen.tsx";
import { OrganizationsScreen } from "./organizations-screen.tsx";
import { SystemScreen } from "./system-screen.tsx";
import { UsersScreen } from "./users-screen.tsx";

const screens: Readonly<Record<AdminScreen, ComponentType>> = {
	users: UsersScreen,
	organizations: OrganizationsScreen,
	system: SystemScreen,
	jobs: JobsScreen,
	audit: AuditScreen,
};

/** All screens below `/admin` in one chunk, so that other users load none of it. An unknown name opens the users. */
export function AdminScreens() {
	const { screen = "" } = useParams({ strict: false }) as { readonly screen?: string };
	const name = Object.hasOwn(screens, screen) ? (screen as AdminScreen) : "users";
	const Shown = screens[name];
	return <Shown key={name} />;
}
