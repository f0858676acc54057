import type { ReactNode } from "react";
import { Logo } from "../logo/logo.tsx";
import styles from "./page.module.css";
import { useTitle } from "./use-title.ts";

interface NoticeProps {
	readonly title: string;
	readonly text: string;
	/** Actions for the user. */
	readonly children?: ReactNode;
}

/** A whole page that says one thing. */
export function Notice({ title, text, children }: NoticeProps) {
	useTitle(title);
	return (
		<main className={`${styles.page} ${styles.narrow}`}>
			<p className={styles.brand}>
				<Logo size={28} /> Footfall
			</p>
			<div className={styles.notice}>
				<h1>{title}</h1>
				<p>{text}</p>
				{children}
			</div>
		</main>
	);
}
