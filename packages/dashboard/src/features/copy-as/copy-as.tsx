import { Copy } from "lucide-react";
import { isShared } from "../../api/shared.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import styles from "./copy-as.module.css";
import type { Copied } from "./copy-ways.tsx";

const CopyWays = lazily(async () => ({ default: (await import("./copy-ways.tsx")).CopyWays }));

const t = texts({ en: { copyAs: "Copy as" }, es: { copyAs: "Copiar como" } });

interface CopyAsProps extends Copied {
	/** Where there is little room: the sign without its word. */
	readonly icon?: boolean;
}

/** Takes figures elsewhere: as a link, a command, a file, a definition or a question. Readers of a shared link have no use for these. */
export function CopyAs({ icon = false, ...copied }: CopyAsProps) {
	if (isShared) return null;
	return (
		<Popover
			look="quiet"
			small
			icon={icon}
			name={`${t.copyAs}: ${copied.about}`}
			label={
				<>
					<Copy size={icon ? 14 : 16} aria-hidden="true" />
					{!icon && <span className={styles.label}>{t.copyAs}</span>}
				</>
			}
		>
			{(close) => <CopyWays {...copied} close={close} />}
		</Popover>
	);
}
