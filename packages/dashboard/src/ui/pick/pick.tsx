import type { ReactNode } from "react";
import styles from "./pick.module.css";

interface PickProps {
	/** Its name, where what stands beside it does not say it. */
	readonly name?: string;
	readonly checked: boolean;
	readonly onPick: (isPicked: boolean) => void;
	readonly children?: ReactNode;
}

/** A box beside what is picked by it. */
export const Pick = ({ name, checked, onPick, children }: PickProps) => (
	<label className={styles.pick}>
		<input type="checkbox" aria-label={name} checked={checked} onChange={(event) => onPick(event.target.checked)} />
		{children}
	</label>
);

/** Above a list: picks all of it, and does something with what is picked. */
export const PickBar = ({ children }: { readonly children: ReactNode }) => <div className={styles.bar}>{children}</div>;
