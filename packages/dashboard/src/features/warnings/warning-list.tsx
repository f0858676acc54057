import { Link } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import type { Answer } from "../../api/client.ts";
import { classes } from "../../lib/classes.ts";
import { count } from "../../lib/format.ts";
import { t } from "./texts.ts";
import styles from "./warnings.module.css";

type Warning = Answer<"GET /warnings">["warnings"][number];

const proxies = "/help/troubleshooting#all-visitors-are-one";
const backups = "/help/operations#backups";

/** Where a warning of the installation is mended. */
const guides: Readonly<Partial<Record<Warning["code"], string>>> = {
	untrusted_proxy: proxies,
	https_unseen: "/help/operations#behind-a-reverse-proxy",
	shared_addresses: proxies,
	no_mail_server: "/help/operations#mail",
	no_backups: backups,
	no_backup_yet: backups,
	backup_failed: backups,
	backup_late: backups,
	disk_nearly_full: "/help/operations#where-the-data-is",
};

interface WarningListProps {
	readonly warnings: readonly Warning[];
	/** The site that the warnings without a guide are about. */
	readonly site?: string;
	readonly onGo?: () => void;
}

/** Warnings with what to do, each with a link to where that is done. */
export const WarningList = ({ warnings, site, onGo }: WarningListProps) => (
	<ul className={styles.list}>
		{warnings.map((warning) => {
			const { code, level, count: n = 0 } = warning;
			const [message, fix] = t.words[code]?.(count(n), n) ?? [warning.message, warning.fix];
			const guide = guides[code];
			return (
				<li key={code + message}>
					<CircleAlert size={18} aria-hidden="true" className={classes(level === "fault" && styles.fault)} />
					<div>
						<strong>{message}</strong>
						<p>{fix}</p>
						{guide !== undefined && (
							<a href={guide} target="_blank" rel="noreferrer">
								{t.help}
							</a>
						)}
						{guide === undefined && site !== undefined && (
							<Link to="/sites/$id/settings/install" params={{ id: site }} {...(onGo && { onClick: onGo })}>
								{t.install}
							</Link>
						)}
					</div>
				</li>
			);
		})}
	</ul>
);
