import { type ReactNode, useEffect } from "react";
import { useSite } from "./queries.ts";
import styles from "./screen-head.module.css";

interface ScreenHeadProps {
	readonly title: string;
	/** What stands at the end of the row. */
	readonly children?: ReactNode;
}

/** The head of a screen of a site; it names the browser's tab too. */
export function ScreenHead({ title, children }: ScreenHeadProps) {
	const { name } = useSite();
	// The tab is outside of React.
	useEffect(() => {
		document.title = `${title} · ${name} · Footfall`;
	}, [title, name]);
	return (
		<header className={styles.head}>
			<h1>{title}</h1>
			{children}
		</header>
	);
}
