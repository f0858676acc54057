import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { liveShortcuts, setShortcuts } from "../../lib/keys.ts";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { preferencesQuery, useChangePreferences } from "../preferences/index.ts";
import styles from "./help.module.css";
import { t } from "./texts.ts";

/** The keys that do something on this screen, and whether single ones do at all. */
export function Help({ onClose }: { readonly onClose: () => void }) {
	const [keys] = useState(shown);
	const { data } = useQuery(preferencesQuery);
	const preferences = useChangePreferences();
	const isOn = data?.shortcuts ?? true;
	return (
		<Dialog title={t.keys} onClose={onClose}>
			<table className={styles.keys}>
				<tbody>
					{keys.map(({ key, label }) => (
						<tr key={`${key} ${label}`}>
							<th scope="row">
								<Keys text={key} />
							</th>
							<td>{label}</td>
						</tr>
					))}
				</tbody>
			</table>
			<label className={styles.single}>
				<input
					type="checkbox"
					checked={isOn}
					disabled={data === undefined}
					onChange={(event) => {
						setShortcuts(event.target.checked);
						preferences.mutate({ shortcuts: event.target.checked });
					}}
				/>
				<span>
					{t.single}
					<small>{t.singleHint}</small>
				</span>
			</label>
		</Dialog>
	);
}

const shown = () => [{ key: "Ctrl+K", label: t.everywhere }, ...liveShortcuts(), { key: "Esc", label: t.escape }];

/** `g r` is G and then R. */
function Keys({ text }: { readonly text: string }) {
	const [first = "", second] = text.split(" ");
	return (
		<>
			<kbd className={styles.key}>{nameOf(first)}</kbd>
			{second !== undefined && (
				<>
					<small> {t.after} </small>
					<kbd className={styles.key}>{nameOf(second)}</kbd>
				</>
			)}
		</>
	);
}

const arrows: Readonly<Record<string, string>> = {
	arrowleft: "←",
	arrowright: "→",
	arrowup: "↑",
	arrowdown: "↓",
	escape: "Esc",
};
const nameOf = (key: string): string => arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key);
