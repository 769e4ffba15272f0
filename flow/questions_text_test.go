package flow_test

// questionsOfANewProject has two paths, the second with the function of the first.
const questionsOfANewProject = `
project 0: What is the project called?
  text name "Name" = "", shown "shop", proposed "shop"
  text region "Region" = "", shown "us-east-1", proposed "us-east-1", suggestions from us-east-1
  in short: shop
API 0: Which API?
  text label "Label" = "more", shown "more", proposed "shop"
  choice service "Service" = "REST", shown "REST", proposed ""
    x REST "REST" "paths and handler functions" ""
    - GraphQL "GraphQL" "" "gatewright designs REST APIs; an existing GraphQL API goes into data.json"
  text binaryMediaTypes "Binary types" = "", shown "none", proposed "none", a list
  in short: more
path 0: Which path of the API more?
  text path "Path" = "/a", shown "/a", proposed "such as /items or /book/{isbn}"
  in short: /a
function 0: Which handler function serves /a?
  choice source "Function" = "new", shown "A new function", proposed ""
    x new "A new function" "its source is written from a template" ""
    - existing "One that exists" "several paths may share one" "there is no function yet; make the first one"
  text name "Resource name" = "", shown "a", proposed "a"
  choice template "Template" = "crud", shown "CRUD on a table", proposed ""
    - express "Express" "Serverless ExpressJS function: handlers for list, load, create, update and delete, to fill in" ""
    x crud "CRUD on a table" "CRUD function for DynamoDB-style key-value table: list, load, create, update and delete items of a table, ready to use" ""
    - plain "Plain" "Plain handler function: one handler without a framework" ""
  choice runtime "Runtime" = "nodejs", shown "Node.js", proposed ""
    x nodejs "Node.js" "" ""
    - typescript "TypeScript" "for Node.js; it is compiled when it runs and when it is pushed" ""
    - python "Python" "" ""
    - go "Go" "" ""
  text deployed "Function name" = "", shown "a", proposed "a"
  choice advanced "Advanced settings" = "yes", shown "Yes", proposed ""
    - no "No" "" ""
    x yes "Yes" "" ""
  in short: a, CRUD on a table
table 0: Which table holds the items?
  text new "Table name" = "", shown "a-table", proposed "a-table"
  text partition "Partition key" = "", shown "id", proposed "id"
  choice partitionKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
  text sort "Sort key" = "at", shown "at", proposed "none"
  choice sortKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
  in short: a-table by id, at
settings 0: Settings of the new function
  text timeout "Timeout" = "30", shown "30", proposed "25"
  text memory "Memory" = "", shown "128", proposed "128"
  text schedule "Schedule" = "", shown "none", proposed "none"
  text layers "Layers" = "", shown "none", proposed "none", a list
  text environment "Environment variables" = "", shown "none", proposed "none", a list
  text secrets "Secrets" = "", shown "none", proposed "none", a list
  several access "Access to resources" = "", shown "none", proposed ""
    - none "tables" "" "there is no table yet"
access 0: Who may do what under /a?
  access access "" = "", shown "none", proposed ""
  in short: signed-in
another path 0: Add another path?
  choice another "" = "yes", shown "Yes, one more", proposed ""
    - no "No, go on" "" ""
    x yes "Yes, one more" "" ""
  in short: yes
path 1: Which path of the API more?
  text path "Path" = "/b", shown "/b", proposed "such as /items or /book/{isbn}"
  in short: /b
function 1: Which handler function serves /b?
  choice source "Function" = "existing", shown "One that exists", proposed ""
    - new "A new function" "its source is written from a template" ""
    x existing "One that exists" "several paths may share one" ""
  choice existing "Which one" = "a", shown "a", proposed ""
    x a "a" "new, made with this API" ""
  in short: a
access 1: Who may do what under /b?
  access access "" = "", shown "none", proposed ""
  in short: signed-in, 1 group
another path 1: Add another path?
  choice another "" = "no", shown "No, go on", proposed ""
    x no "No, go on" "" ""
    - yes "Yes, one more" "" ""
  in short: no
environments 0: Which environments have this API?
  several environments "Environments" = "", shown "dev", proposed ""
    x dev "dev" "new, runs on this machine" ""
  text new "New environments" = "qa", shown "qa", proposed "none", a list
  in short: dev, qa
review 0: Review
`

// questionsOfAPath are those about a path that is there.
const questionsOfAPath = `
path 0: Which path of the API shop?
  text path "Path" = "/items", shown "/items", proposed "such as /items or /book/{isbn}"
  in short: /items
function 0: Which handler function serves /items?
  choice source "Function" = "existing", shown "One that exists", proposed ""
    - new "A new function" "its source is written from a template" ""
    x existing "One that exists" "several paths may share one" ""
  choice existing "Which one" = "items", shown "items", proposed ""
    x items "items" "Serverless ExpressJS function" ""
  in short: items
access 0: Who may do what under /items?
  access access "" = "", shown "none", proposed ""
  in short: signed-in and guests, 1 group
review 0: Review
`

// questionOfATable offers the table of the project.
const questionOfATable = `
table 0: Which table holds the items?
  choice name "Table" = "+", shown "A new table", proposed ""
    x + "A new table" "" ""
    - items "items" "" ""
  text new "Table name" = "", shown "items-2", proposed "items-2"
  text partition "Partition key" = "", shown "id", proposed "id"
  choice partitionKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
  text sort "Sort key" = "", shown "none", proposed "none"
  choice sortKey "Its type" = "string", shown "string", proposed ""
    x string "string" "" ""
    - number "number" "" ""
    - binary "binary" "" ""
`

// questionOfTypeScript refuses the template that does not exist for TypeScript.
const questionOfTypeScript = `
function 0: Which handler function serves /items?
  choice source "Function" = "new", shown "A new function", proposed ""
    x new "A new function" "its source is written from a template" ""
    - existing "One that exists" "several paths may share one" ""
  text name "Resource name" = "", shown "items-2", proposed "items-2"
  choice template "Template" = "plain", shown "Plain", proposed ""
    - express "Express" "Serverless ExpressJS function: handlers for list, load, create, update and delete, to fill in" ""
    - crud "CRUD on a table" "CRUD function for DynamoDB-style key-value table: list, load, create, update and delete items of a table, ready to use" "not for TypeScript"
    x plain "Plain" "Plain handler function: one handler without a framework" ""
  choice runtime "Runtime" = "typescript", shown "TypeScript", proposed ""
    - nodejs "Node.js" "" ""
    x typescript "TypeScript" "for Node.js; it is compiled when it runs and when it is pushed" ""
    - python "Python" "" ""
    - go "Go" "" ""
  text deployed "Function name" = "", shown "items-2", proposed "items-2"
  choice advanced "Advanced settings" = "no", shown "No", proposed ""
    x no "No" "" ""
    - yes "Yes" "" ""
`

// questionsOfTheAmplifyCLI leave out what the Amplify CLI makes.
const questionsOfTheAmplifyCLI = `
API 0: Which API?
  text label "Label" = "", shown "api", proposed "api"
  choice service "Service" = "REST", shown "REST", proposed ""
    x REST "REST" "paths and handler functions" ""
    - GraphQL "GraphQL" "" "gatewright designs REST APIs; an existing GraphQL API goes into data.json"
  in short: api
path 0: Which path of the API api?
  text path "Path" = "", shown "empty", proposed "such as /items or /book/{isbn}"
function 0: Which handler function serves ""?
  choice source "Function" = "existing", shown "One that exists", proposed ""
    - new "A new function" "its source is written from a template" "functions of an Amplify CLI project are made with: amplify add function"
    x existing "One that exists" "several paths may share one" ""
  choice existing "Which one" = "", shown "none", proposed ""
    - items "items" "Serverless ExpressJS function" ""
access 0: Who may do what under ""?
  access access "" = "", shown "none", proposed ""
  in short: signed-in
another path 0: Add another path?
  choice another "" = "no", shown "No, go on", proposed ""
    x no "No, go on" "" ""
    - yes "Yes, one more" "" ""
  in short: no
review 0: Review
`
