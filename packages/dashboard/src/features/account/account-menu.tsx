import { useSuspenseQuery } from "@tanstack/react-query";
import { lazy } from "react";
import { Popover } from "../../ui/popover/popover.tsx";
import { meQuery } from "../site/index.ts";
import styles from "./account-menu.module.css";
import { t } from "./texts.ts";

/** What belongs to the reader: who it is, how the pages look, the way out. */
export const AccountPanel = lazy(async () => ({ default: (await import("./account-panel.tsx")).AccountPanel }));

/** A button with the reader's initial, and what belongs to the reader below it. */
export function AccountMenu() {
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<Popover
			look="quiet"
			icon
			name={`${t.account}: ${me.name}`}
			label={
				<span className={styles.initial} aria-hidden="true">
					{[...me.name][0]?.toLocaleUpperCase() ?? "?"}
				</span>
			}
		>
			{(close) => <AccountPanel close={close} />}
		</Popover>
	);
}
