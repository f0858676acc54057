import { Copy } from "lucide-react";
import { lazy } from "react";
import { texts } from "../../lib/language.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import styles from "./copy-as.module.css";
import type { CopyAsProps } from "./copy-ways.tsx";

const CopyWays = lazy(async () => ({ default: (await import("./copy-ways.tsx")).CopyWays }));

const t = texts({ en: { copyAs: "Copy as" }, es: { copyAs: "Copiar como" } });

/** Takes figures elsewhere: as a link, a command, a file, a definition or a question. */
export function CopyAs(props: CopyAsProps) {
	const { name } = props;
	return (
		<Popover
			look="quiet"
			small
			name={name === undefined ? t.copyAs : `${t.copyAs}: ${name}`}
			label={
				<>
					<Copy size={16} aria-hidden="true" />
					<span className={styles.label}>{t.copyAs}</span>
				</>
			}
		>
			{(close) => <CopyWays {...props} close={close} />}
		</Popover>
	);
}
