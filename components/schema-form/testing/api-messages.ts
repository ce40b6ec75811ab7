import type { RealTool } from "./real-tool";

const note = (type: string, description: string) => ({ type, description });
const address = (whose: string) => ({
  ...note("object", whose),
  required: ["email"],
  properties: { email: { type: "string", format: "email" }, name: { type: "string" } },
});
const moment = (what: string) => ({
  ...note("object", what),
  properties: {
    date: { type: "string", format: "date", description: "For a whole day" },
    dateTime: { type: "string", format: "date-time", description: "For a moment" },
    timeZone: note("string", "Time zone, such as Europe/Vienna"),
  },
});

/** Ten operations of OpenAPI documents for messages, payments and other services. */
export const messageOperations: readonly RealTool[] = [
  {
    name: "Swagger Petstore addPet",
    source: "https://petstore3.swagger.io/",
    schema: {
      type: "object",
      required: ["name", "photoUrls"],
      properties: {
        id: { type: "integer", format: "int64", examples: [10] },
        name: { type: "string", examples: ["doggie"] },
        category: { $ref: "#/$defs/Category" },
        photoUrls: { type: "array", items: { type: "string" } },
        tags: { type: "array", items: { $ref: "#/$defs/Tag" } },
        status: { type: "string", description: "Status in the shop", enum: ["available", "pending", "sold"] },
      },
      $defs: {
        Category: {
          type: "object",
          properties: { id: { type: "integer", format: "int64" }, name: { type: "string" } },
        },
        Tag: { type: "object", properties: { id: { type: "integer", format: "int64" }, name: { type: "string" } } },
      },
    },
  },
  {
    name: "Stripe PostPaymentIntents",
    source: "https://docs.stripe.com/api/payment_intents/create",
    schema: {
      type: "object",
      required: ["amount", "currency"],
      properties: {
        amount: note("integer", "Amount in the smallest unit, such as cents"),
        currency: note("string", "Code of the currency, three small letters"),
        automatic_payment_methods: {
          ...note("object", "Payment methods switched on in the dashboard"),
          required: ["enabled"],
          properties: {
            enabled: { type: "boolean" },
            allow_redirects: { type: "string", enum: ["always", "never"] },
          },
        },
        capture_method: { type: "string", enum: ["automatic", "automatic_async", "manual"] },
        metadata: {
          anyOf: [
            { type: "object", additionalProperties: { type: "string" } },
            { type: "string", enum: [""] },
          ],
          description: "Keys and values of your own",
        },
        off_session: {
          anyOf: [{ type: "boolean" }, { type: "string", enum: ["one_off", "recurring"], maxLength: 5000 }],
          description: "Whether the customer is absent",
        },
        receipt_email: note("string", "Address for the receipt"),
      },
    },
  },
  {
    name: "Slack chat.postMessage",
    source: "https://docs.slack.dev/reference/methods/chat.postMessage",
    schema: {
      type: "object",
      required: ["channel"],
      properties: {
        channel: note("string", "Channel, group or person"),
        text: note("string", "Text of the message"),
        blocks: { ...note("array", "Parts of a laid-out message"), items: { type: "object" } },
        thread_ts: note("string", "Time stamp of the message to answer"),
        unfurl_links: note("boolean", "Show previews of links"),
        metadata: {
          type: "object",
          required: ["event_type", "event_payload"],
          properties: { event_type: { type: "string" }, event_payload: { type: "object" } },
        },
      },
    },
  },
  {
    name: "Twilio CreateMessage",
    source: "https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource",
    schema: {
      type: "object",
      title: "CreateMessageRequest",
      required: ["To"],
      properties: {
        To: { type: "string", format: "phone-number", description: "Number of the recipient, as E.164" },
        From: { type: "string", format: "phone-number", description: "Number of the sender" },
        Body: note("string", "Text, at most 1,600 characters"),
        MediaUrl: {
          ...note("array", "Addresses of pictures, at most 10"),
          ...{ items: { type: "string", format: "uri" }, maxItems: 10 },
        },
        SmartEncoded: note("boolean", "Replace characters that need a longer encoding"),
        ScheduleType: { type: "string", enum: ["fixed"], description: "Send at a fixed time" },
        SendAt: { type: "string", format: "date-time", description: "When to send it" },
      },
    },
  },
  {
    name: "SendGrid SendMail",
    source: "https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send",
    schema: {
      type: "object",
      required: ["personalizations", "from", "subject", "content"],
      properties: {
        personalizations: {
          ...note("array", "Envelopes, one for each group of recipients"),
          maxItems: 1000,
          items: {
            type: "object",
            required: ["to"],
            properties: {
              to: { type: "array", minItems: 1, maxItems: 1000, items: address("One recipient") },
              subject: { type: "string", minLength: 1 },
              headers: { type: "object", additionalProperties: { type: "string" } },
            },
          },
        },
        from: address("Sender"),
        subject: { type: "string", minLength: 1, description: "Subject of the mail" },
        content: {
          ...note("array", "Text of the mail in one or more formats"),
          items: {
            type: "object",
            required: ["type", "value"],
            properties: { type: { type: "string", examples: ["text/plain"] }, value: { type: "string", minLength: 1 } },
          },
        },
        send_at: note("integer", "When to send it, in Unix seconds"),
      },
    },
  },
  {
    name: "Telegram sendMessage",
    source: "https://core.telegram.org/bots/api#sendmessage",
    schema: {
      type: "object",
      required: ["chat_id", "text"],
      properties: {
        chat_id: { anyOf: [{ type: "integer" }, { type: "string" }], description: "Id of the chat, or @channel" },
        text: { type: "string", minLength: 1, maxLength: 4096, description: "Text of the message" },
        parse_mode: { type: "string", enum: ["MarkdownV2", "HTML", "Markdown"] },
        disable_notification: note("boolean", "Send without a sound"),
        reply_markup: {
          description: "Buttons below the message",
          anyOf: [
            {
              ...{ type: "object", title: "InlineKeyboardMarkup", required: ["inline_keyboard"] },
              properties: {
                inline_keyboard: {
                  type: "array",
                  items: {
                    type: "array",
                    items: {
                      ...{ type: "object", required: ["text"] },
                      properties: { text: { type: "string" }, url: { type: "string", format: "uri" } },
                    },
                  },
                },
              },
            },
            {
              ...{ type: "object", title: "ReplyKeyboardRemove", required: ["remove_keyboard"] },
              properties: { remove_keyboard: { type: "boolean", const: true }, selective: { type: "boolean" } },
            },
          ],
        },
      },
    },
  },
  {
    name: "Discord create_message",
    source: "https://discord.com/developers/docs/resources/message#create-message",
    schema: {
      type: "object",
      properties: {
        content: { type: ["string", "null"], maxLength: 4000, description: "Text of the message" },
        tts: { type: ["boolean", "null"], description: "Read it aloud" },
        allowed_mentions: {
          description: "Who may be mentioned",
          oneOf: [
            { type: "null" },
            {
              type: "object",
              properties: {
                parse: {
                  ...{ type: ["array", "null"], uniqueItems: true, maxItems: 3 },
                  items: { type: "string", enum: ["users", "roles", "everyone"] },
                },
                replied_user: { type: ["boolean", "null"] },
              },
            },
          ],
        },
        embeds: {
          ...{ type: ["array", "null"], maxItems: 10 },
          items: { type: "object", properties: { title: { type: ["string", "null"], maxLength: 256 } } },
        },
      },
    },
  },
  {
    name: "OpenAI createChatCompletion",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    schema: {
      type: "object",
      required: ["model", "messages"],
      properties: {
        model: { anyOf: [{ type: "string" }, { type: "string", enum: ["gpt-4.1", "gpt-4o-mini"] }] },
        messages: {
          ...{ type: "array", minItems: 1, description: "The conversation so far" },
          items: {
            oneOf: [
              {
                ...{ type: "object", title: "System message", required: ["role", "content"] },
                properties: { role: { type: "string", enum: ["system"] }, content: { type: "string" } },
              },
              {
                ...{ type: "object", title: "User message", required: ["role", "content"] },
                properties: { role: { type: "string", enum: ["user"] }, content: { type: "string" } },
              },
            ],
          },
        },
        temperature: { type: "number", minimum: 0, maximum: 2, default: 1, nullable: true, description: "0 to 2" },
        stop: {
          anyOf: [
            { type: "string", default: "\n", nullable: true },
            { type: "array", minItems: 1, maxItems: 4, items: { type: "string" } },
          ],
          description: "Texts that end the answer",
        },
        logit_bias: { type: ["object", "null"], additionalProperties: { type: "integer" }, description: "By token id" },
        response_format: {
          oneOf: [
            { type: "object", title: "Text", required: ["type"], properties: { type: { const: "text" } } },
            {
              type: "object",
              title: "JSON object",
              required: ["type"],
              properties: { type: { const: "json_object" } },
            },
          ],
        },
      },
    },
  },
  {
    name: "Cloudflare dns-records-for-a-zone-create-dns-record",
    source: "https://developers.cloudflare.com/api/resources/dns/subresources/records/methods/create/",
    schema: {
      type: "object",
      required: ["record"],
      properties: {
        record: {
          description: "The record to create",
          oneOf: [
            {
              ...{ type: "object", title: "A Record", required: ["type", "name", "content", "ttl"] },
              properties: {
                type: { type: "string", enum: ["A"], description: "Type of the record" },
                name: note("string", "Full name of the record"),
                content: { type: "string", format: "ipv4", description: "IPv4 address" },
                ttl: {
                  anyOf: [
                    { type: "number", minimum: 30, maximum: 86_400 },
                    { type: "number", enum: [1] },
                  ],
                  default: 1,
                  description: "Seconds that answers may be kept; 1 means automatic",
                },
                proxied: { type: "boolean", default: false, description: "Whether Cloudflare proxies it" },
              },
            },
            {
              ...{ type: "object", title: "MX Record", required: ["type", "name", "content", "priority"] },
              properties: {
                type: { type: "string", enum: ["MX"], description: "Type of the record" },
                name: note("string", "Full name of the record"),
                content: { type: "string", format: "hostname", description: "Mail server" },
                priority: { type: "number", minimum: 0, maximum: 65_535, description: "Low numbers come first" },
              },
            },
          ],
        },
      },
    },
  },
  {
    name: "Google Calendar events.insert",
    source: "https://developers.google.com/workspace/calendar/api/v3/reference/events/insert",
    schema: {
      type: "object",
      required: ["start", "end"],
      properties: {
        summary: note("string", "Title of the event"),
        description: note("string", "Text of the event; may hold HTML"),
        start: moment("When it begins"),
        end: moment("When it ends"),
        attendees: {
          type: "array",
          items: {
            type: "object",
            properties: { email: { type: "string", format: "email" }, optional: { type: "boolean", default: false } },
          },
        },
        reminders: {
          type: "object",
          properties: {
            useDefault: { type: "boolean" },
            overrides: {
              type: "array",
              maxItems: 5,
              items: {
                type: "object",
                properties: {
                  method: { type: "string", enum: ["email", "popup"] },
                  minutes: { type: "integer", minimum: 0, maximum: 40_320 },
                },
              },
            },
          },
        },
        visibility: { type: "string", enum: ["default", "public", "private", "confidential"], default: "default" },
      },
    },
  },
];
