import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button/button.tsx";
import { Logo } from "../../ui/logo/logo.tsx";
import page from "../../ui/page/page.module.css";
import { useTitle } from "../../ui/page/use-title.ts";
import { openPalette } from "../palette/index.ts";
import { AccountMenu } from "./account-menu.tsx";
import styles from "./outer-frame.module.css";
import { t } from "./texts.ts";

interface OuterFrameProps {
	readonly title: string;
	/** Stands at the end of the title's row. */
	readonly actions?: ReactNode;
	readonly children: ReactNode;
}

/** Frame of the screens that belong to no site. */
export function OuterFrame({ title, actions, children }: OuterFrameProps) {
	useTitle(title);
	return (
		<>
			<header className={styles.bar}>
				<Link to="/sites" className={styles.brand} title={t.sites}>
					<Logo size={28} /> Footfall
				</Link>
				<Button look="quiet" icon aria-label={t.search} title={`${t.search} (Ctrl K)`} onClick={openPalette}>
					<Search size={18} aria-hidden="true" />
				</Button>
				<AccountMenu />
			</header>
			<main id="main" tabIndex={-1} className={page.page}>
				<header className={page.head}>
					<h1>{title}</h1>
					{actions}
				</header>
				{children}
			</main>
		</>
	);
}
