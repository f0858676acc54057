import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./side-nav.module.css";

/** A screen of a group: its address with the parameters filled in, and its name. */
export interface SideLink {
	readonly to: string;
	readonly label: string;
}

/** Screens that belong together; the first group may have no name. */
export interface SideGroup {
	readonly label?: string;
	readonly links: readonly SideLink[];
}

interface SideNavProps {
	/** Names the navigation. */
	readonly label: string;
	readonly groups: readonly SideGroup[];
	/** The screen itself. */
	readonly children: ReactNode;
}

/** Screens beside a list of them; on phones the list is one choice above. */
export function SideNav({ label, groups, children }: SideNavProps) {
	return (
		<div className={styles.columns}>
			<nav aria-label={label} className={styles.nav}>
				{groups.map(({ label: name, links }) => (
					<div key={name ?? ""} className={styles.group}>
						{name && <p className={styles.name}>{name}</p>}
						<ul>
							{links.map(({ to, label: screen }) => (
								<li key={to}>
									<Link to={to} className={styles.link} activeOptions={{ exact: true, includeSearch: false }}>
										{screen}
									</Link>
								</li>
							))}
						</ul>
					</div>
				))}
			</nav>
			<Choice label={label} groups={groups} />
			<div className={styles.screen}>{children}</div>
		</div>
	);
}

function Choice({ label, groups }: Omit<SideNavProps, "children">) {
	const navigate = useNavigate();
	const path = useRouterState({ select: ({ location }) => location.pathname });
	const links = groups.flatMap((group) => group.links);
	const current = links.find(({ to }) => to === path) ?? links.findLast(({ to }) => path.startsWith(to));
	return (
		<select
			aria-label={label}
			className={styles.choice}
			value={current?.to}
			onChange={(event) => void navigate({ to: event.target.value })}
		>
			{links.map(({ to, label: screen }) => (
				<option key={to} value={to}>
					{screen}
				</option>
			))}
		</select>
	);
}
