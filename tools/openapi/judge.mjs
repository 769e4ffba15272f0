// Judges documents with libraries that are installed beside this file. It prints one line of
// JSON for each document and judge: {"judge", "file", "faults"}.
import { writeFileSync } from "node:fs"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"
import SwaggerParser from "@apidevtools/swagger-parser"
import { Validator } from "@seriousme/openapi-schema-validator"
import openapiTS, { astToString } from "openapi-typescript"

const say = (judge, file, faults) => console.log(JSON.stringify({ judge, file: basename(file), faults }))

const judge = async (name, file, work) => {
  try {
    say(name, file, (await work()) ?? [])
  } catch (error) {
    say(name, file, [error.message])
  }
}

for (const file of process.argv.slice(2)) {
  await judge("swagger-parser", file, async () => {
    await SwaggerParser.validate(file)
  })
  await judge("openapi-schema-validator", file, async () => {
    const result = await new Validator().validate(file)
    return result.valid ? [] : [JSON.stringify(result.errors)]
  })
  await judge("openapi-typescript", file, async () => {
    const code = astToString(await openapiTS(pathToFileURL(file)))
    writeFileSync(basename(file) + ".ts", code)
  })
}
