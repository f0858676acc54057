import { openEngine } from "../../src/platform/event-store/embedded/engine.ts";
import { createHttpInterface } from "../../src/platform/event-store/embedded/http-interface.ts";
import { loadNativeEngine } from "../../src/platform/event-store/embedded/native-engine.ts";

// Entry of a process: an engine with a disk for backups, which the service's own has not, reached over TCP as a server is.

const [directory = "", disk = "", secret = ""] = process.argv.slice(2);
const native = loadNativeEngine();
const backups = [
	"--storage_configuration.disks.backups.type=local",
	`--storage_configuration.disks.backups.path=${disk}/`,
	"--backups.allowed_disk=backups",
];
const open: typeof native.CreateConnection = (path, args) => native.CreateConnection(path, [...args, ...backups]);
const engine = openEngine({ ...native, CreateConnection: open }, directory, 1024 ** 3);
const server = createHttpInterface(engine, secret).listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
