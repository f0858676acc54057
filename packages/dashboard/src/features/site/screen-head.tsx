import type { ReactNode } from "react";
import { useTitle } from "../../ui/page/use-title.ts";
import { useSite } from "./queries.ts";
import styles from "./screen-head.module.css";

interface ScreenHeadProps {
	readonly title: string;
	/** Content at the end of the row. */
	readonly children?: ReactNode;
}

/** The head of a screen of a site; it names the browser's tab too. */
export function ScreenHead({ title, children }: ScreenHeadProps) {
	const { name } = useSite();
	useTitle(title, name);
	return (
		<header className={styles.head}>
			<h1>{title}</h1>
			{children}
		</header>
	);
}
