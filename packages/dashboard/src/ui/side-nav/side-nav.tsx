import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./side-nav.module.css";

/** A screen of a group: its address with the parameters filled in, and its name. */
export interface SideLink {
	readonly to: string;
	readonly label: string;
	/** Why there is little on it: it is named, and stands back. */
	readonly lacks?: string;
	/** Other words by which the search finds it. */
	readonly words?: string;
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
	const current = useCurrent(groups);
	return (
		<div className={styles.columns}>
			<nav aria-label={label} className={styles.nav}>
				{groups.map(({ label: name, links }) => (
					<div key={name ?? ""} className={styles.group}>
						{name && <p className={styles.name}>{name}</p>}
						<ul>
							{links.map(({ to, label: screen, lacks }) => (
								<li key={to}>
									<Link
										to={to}
										className={styles.link}
										activeOptions={{ exact: true, includeSearch: false }}
										aria-current={to === current ? "page" : undefined}
									>
										<span className={lacks && "muted"}>{screen}</span>
										{lacks && <small className="caption">{lacks}</small>}
									</Link>
								</li>
							))}
						</ul>
					</div>
				))}
			</nav>
			<Choice label={label} groups={groups} current={current} />
			<div className={styles.screen}>{children}</div>
		</div>
	);
}

/** The screen that is open, or to which the open one belongs. */
function useCurrent(groups: readonly SideGroup[]): string | undefined {
	const path = useRouterState({ select: ({ location }) => location.pathname });
	const links = groups.flatMap((group) => group.links);
	return (links.find(({ to }) => to === path) ?? links.findLast(({ to }) => path.startsWith(`${to}/`)))?.to;
}

interface ChoiceProps extends Omit<SideNavProps, "children"> {
	readonly current: string | undefined;
}

function Choice({ label, groups, current }: ChoiceProps) {
	const navigate = useNavigate();
	const links = groups.flatMap((group) => group.links);
	return (
		<select
			aria-label={label}
			className={styles.choice}
			value={current}
			onChange={(event) => void navigate({ to: event.target.value })}
		>
			{links.map(({ to, label: screen, lacks }) => (
				<option key={to} value={to}>
					{lacks ? `${screen} (${lacks})` : screen}
				</option>
			))}
		</select>
	);
}
