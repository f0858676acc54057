// The least that any collector on this runtime has to do: a bare server that reads each body and answers 204.
import { createServer } from "node:http";

const server = createServer((request, response) => {
	let length = 0;
	request.on("data", (chunk: Buffer) => {
		length += chunk.length;
	});
	request.on("end", () => response.writeHead(length > 0 ? 204 : 400, { "Access-Control-Allow-Origin": "*" }).end());
});
server.listen(0, "127.0.0.1", () => {
	const address = server.address();
	process.send?.(typeof address === "object" ? address?.port : undefined);
});
process.on("disconnect", () => process.exit());
