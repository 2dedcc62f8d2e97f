// What the conformance suite wants of a server under test: tools, resources and prompts of its own names. Served through
// our own protocol layer, so that the suite judges that layer and not these few lines.
import { RpcError } from "../../../src/surfaces/mcp/wire/message.ts";
import type { RpcCaller, Service } from "../../../src/surfaces/mcp/wire/session.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const sound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const text = (said: string) => ({ type: "text", text: said });
const image = { type: "image", data: pixel, mimeType: "image/png" };
const resource = (uri: string, content: string) => ({
  type: "resource",
  resource: { uri, mimeType: "text/plain", text: content },
});
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Args = Readonly<Record<string, unknown>>;
type Tool = (args: Args, caller: RpcCaller) => Promise<object>;

const elicited =
  (properties: object): Tool =>
  async (args, caller) => {
    const message = typeof args["message"] === "string" ? args["message"] : "Please answer";
    const requestedSchema = { type: "object", properties, required: [] };
    const told = await caller.ask("elicitation/create", { message, requestedSchema }, 10_000);
    return { content: [text(`Elicitation completed: ${JSON.stringify(told)}`)] };
  };

const choices = ["option1", "option2", "option3"];
const titled = ["First", "Second", "Third"].map((title, index) => ({
  const: `value${index + 1}`,
  title: `${title} Option`,
}));

const tools: Readonly<Record<string, Tool>> = {
  test_simple_text: async () => ({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: async () => ({ content: [image] }),
  test_audio_content: async () => ({ content: [{ type: "audio", data: sound, mimeType: "audio/wav" }] }),
  test_embedded_resource: async () => ({ content: [resource("test://embedded-resource", "embedded")] }),
  test_multiple_content_types: async () => ({
    content: [text("Multiple content types test:"), image, resource("test://mixed-content-resource", "mixed")],
  }),
  test_error_handling: async () => ({
    isError: true,
    content: [text("This tool intentionally returns an error for testing")],
  }),
  async test_tool_with_progress(_, caller) {
    for (const line of ["begun", "half", "done"]) {
      caller.progress(line);
      await pause(20);
    }
    return { content: [text("done")] };
  },
  async test_sampling(args, caller) {
    const messages = [{ role: "user", content: text(String(args["prompt"])) }];
    const told = await caller.ask("sampling/createMessage", { messages, maxTokens: 100 }, 10_000);
    return { content: [text(`LLM response: ${JSON.stringify(told)}`)] };
  },
  test_elicitation: elicited({ username: { type: "string" }, email: { type: "string" } }),
  test_elicitation_sep1034_defaults: elicited({
    name: { type: "string", default: "John Doe" },
    age: { type: "integer", default: 30 },
    score: { type: "number", default: 95.5 },
    status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", default: true },
  }),
  test_elicitation_sep1330_enums: elicited({
    untitledSingle: { type: "string", enum: choices },
    titledSingle: { type: "string", oneOf: titled },
    legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["One", "Two", "Three"] },
    untitledMulti: { type: "array", items: { type: "string", enum: choices } },
    titledMulti: { type: "array", items: { anyOf: titled } },
  }),
};

const user = (content: object) => ({ role: "user", content });
const prompts: Readonly<Record<string, (args: Args) => object[]>> = {
  test_simple_prompt: () => [user(text("This is a simple prompt for testing."))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    user(text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    user(resource(String(resourceUri), "embedded")),
    user(text("Please process it.")),
  ],
  test_prompt_with_image: () => [user(image), user(text("Please analyze it."))],
};

function contents(uri: string): object {
  if (uri.includes("nonexistent")) throw new RpcError(-32_002, "There is no such resource.", { uri });
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: pixel };
  return { uri, mimeType: "text/plain", text: `The content of ${uri}` };
}

const names = (table: object) =>
  Object.keys(table).map((name) => ({ name, description: name, inputSchema: { type: "object" } }));

/** Keywords that a server must hand on as they are. */
const keywords = {
  name: "json_schema_2020_12_tool",
  description: "Keywords of JSON Schema",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};

export const fixtureService: Service = {
  info: { name: "fixture", title: "Fixture", version: "1" },
  instructions: "",
  capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
  fault: (error) => {
    throw error;
  },
  method: (name) =>
    ({
      "tools/list": async () => ({ tools: [...names(tools), keywords] }),
      "tools/call": async (params: Args, caller: RpcCaller) =>
        (await tools[String(params["name"])]?.((params["arguments"] ?? {}) as Args, caller)) ?? {},
      "resources/list": async () => ({
        resources: [{ uri: "test://static-text", name: "static", description: "static" }],
      }),
      "resources/templates/list": async () => ({ resourceTemplates: [] }),
      "resources/read": async (params: Args) => ({ contents: [contents(String(params["uri"]))] }),
      "resources/subscribe": async () => ({}),
      "resources/unsubscribe": async () => ({}),
      "prompts/list": async () => ({ prompts: names(prompts) }),
      "prompts/get": async (params: Args) => ({
        messages: prompts[String(params["name"])]?.((params["arguments"] ?? {}) as Args) ?? [],
      }),
      "completion/complete": async () => ({ completion: { values: ["test"], total: 1, hasMore: false } }),
    })[name],
};
