"""What went wrong, and what helps."""

from __future__ import annotations

SENTENCES: dict[str, dict[str, str]] = {
    # errors
    "error.internal": {
        "en": "Something went wrong here. Please try again; if it stays, tell an admin the id {error_id}.",
        "ko": "문제가 생겼습니다. 다시 시도해 주세요. 계속되면 관리자에게 번호 {error_id}를 알려 주세요.",
    },
    "error.input": {
        "en": "That input can't be used: {what}.",
        "ko": "이 입력은 쓸 수 없습니다: {what}.",
    },
    "error.nobody_to_ask": {
        "en": "Nobody is named to ask. An admin can name owners in refdesk.toml.",
        "ko": "물어볼 담당자가 정해져 있지 않습니다. 관리자가 refdesk.toml에 담당자를 적을 수 있습니다.",
    },
    "error.called_already": {
        "en": "Somebody was already asked to help with this answer.",
        "ko": "이 답변에 대해서는 이미 도움을 요청했습니다.",
    },
    "error.stop_not_yours": {
        "en": "Only who asked, and admins, can stop this.",
        "ko": "질문한 사람과 관리자만 중단할 수 있습니다.",
    },
    "error.no_thread": {
        "en": "You haven't asked me anything here yet.",
        "ko": "아직 여기서 저에게 물어본 것이 없습니다.",
    },
    "error.command": {
        "en": "I don't know “{text}”. `{command} help` lists the commands; a question is asked with `{command} ask …`.",
        "ko": "“{text}” 명령은 없습니다. `{command} 도움말`로 명령을 볼 수 있고, 질문은 `{command} 질문 …`으로 합니다.",
    },
    "error.ending": {
        "en": "I'm being restarted and didn't get to this. Please try again in a minute.",
        "ko": "재시작하는 중이라 처리하지 못했습니다. 잠시 후 다시 시도해 주세요.",
    },
    "error.button": {
        "en": "This button is out of date. Please ask again.",
        "ko": "오래된 버튼입니다. 다시 물어봐 주세요.",
    },
    "error.question_empty": {
        "en": "The question is empty. Write what you would like to know.",
        "ko": "질문이 비어 있습니다. 알고 싶은 것을 적어 주세요.",
    },
    "error.channel_value": {
        "en": "Nothing was set: `{change}` needs a value.",
        "ko": "설정하지 않았습니다. `{change}`에 넣을 값을 적어 주세요.",
    },
    "error.channel_change": {
        "en": "Nothing was set: choose under `change` what “{value}” is for ({known}).",
        "ko": "설정하지 않았습니다. “{value}”이(가) 무엇의 값인지 `change`에서 골라 주세요({known}).",
    },
    "error.nothing_to_stop": {
        "en": "Nothing that you asked here is being answered at the moment.",
        "ko": "지금 여기서 답변 중인 질문이 없습니다.",
    },
    "error.no_words": {
        "en": "This message has no text to ask about; pictures and other files aren't read.",
        "ko": "이 메시지에는 질문할 글이 없습니다. 그림이나 다른 파일은 읽지 않습니다.",
    },
    "error.question_long": {
        "en": "The question is {length} characters long; at most {limit} are read. Please shorten it.",
        "ko": "질문이 {length}자입니다. 최대 {limit}자까지 읽을 수 있으니 줄여 주세요.",
    },
    "error.config": {
        "en": "{where}: {what}.",
        "ko": "{where}: {what}.",
    },
    "error.config_missing": {
        "en": "There is no {path}. Write one (README, “Configuration”), or try `refdesk demo`.",
        "ko": "{path} 파일이 없습니다. README의 “Configuration”을 보고 만들거나 `refdesk demo`를 실행해 보세요.",
    },
    "error.config_unreadable": {
        "en": "{path} can't be read ({what}). Name a refdesk.toml that this user may read.",
        "ko": "{path}을(를) 읽을 수 없습니다({what}). 이 사용자가 읽을 수 있는 refdesk.toml을 지정해 주세요.",
    },
    "error.thread": {
        "en": "A thread's name is at most {limit} letters, figures, dots, dashes or underscores, as it was printed.",
        "ko": "대화 이름은 출력된 그대로, {limit}자 이하의 글자·숫자·점·붙임표·밑줄로 써 주세요.",
    },
    "error.now": {
        "en": "{text} is not a day; write it as YYYY-MM-DD, for example 2026-11-30.",
        "ko": "{text}은(는) 날짜가 아닙니다. 2026-11-30처럼 YYYY-MM-DD로 써 주세요.",
    },
    "error.web_key": {
        "en": 'The web search has no key. Set TAVILY_API_KEY, or turn it off: provider = "off" under [web].',
        "ko": '웹 검색에 쓸 키가 없습니다. TAVILY_API_KEY를 설정하거나 [web]에 provider = "off"를 쓰세요.',
    },
    "error.web_domains": {
        "en": "The web search has no domains. Write allow_domains, or allow_any = true, under [web].",
        "ko": "웹 검색에 허용된 도메인이 없습니다. [web]에 allow_domains나 allow_any = true를 쓰세요.",
    },
    "error.web_extra": {
        "en": 'The web search needs a package that is not installed: pip install "refdesk[web]".',
        "ko": '웹 검색에 필요한 패키지가 없습니다. 설치해 주세요: pip install "refdesk[web]".',
    },
    "error.otel_extra": {
        "en": 'Sending traces needs `pip install "refdesk[otel]"`; or leave otlp under [telemetry] unset.',
        "ko": '추적 정보를 보내려면 `pip install "refdesk[otel]"`가 필요합니다. 아니면 [telemetry]의 otlp를 지우세요.',
    },
    "error.web_key_refused": {
        "en": "The web search refused its key. An admin should check TAVILY_API_KEY.",
        "ko": "웹 검색 서비스가 키를 거부했습니다. 관리자가 TAVILY_API_KEY를 확인해야 합니다.",
    },
    "error.web_quota": {
        "en": "The web search's quota is used up. An admin should raise the plan's limit, or wait for the next month.",
        "ko": "웹 검색 사용 한도를 다 썼습니다. 관리자가 요금제 한도를 올리거나 다음 달까지 기다려야 합니다.",
    },
    "error.web_busy": {
        "en": "The web search is busy. Please try again in a minute.",
        "ko": "웹 검색 요청이 몰려 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.web_down": {
        "en": "The web search can't be reached. Please try again later; an admin can check base_url under [web].",
        "ko": "웹 검색 서비스에 연결할 수 없습니다. 나중에 다시 시도하거나 [web]의 base_url을 확인해 주세요.",
    },
    "error.web_timeout": {
        "en": "The web search took longer than {seconds} s. Please try again; an admin can raise timeout under [web].",
        "ko": "웹 검색이 {seconds}초를 넘겼습니다. 다시 시도해 주세요. 관리자는 [web]의 timeout을 늘릴 수 있습니다.",
    },
    "error.web_answer": {
        "en": "The web search gave an answer that can't be used. Please try again later.",
        "ko": "웹 검색 서비스가 쓸 수 없는 답을 보냈습니다. 나중에 다시 시도해 주세요.",
    },
    "error.no_collections": {
        "en": "No collection is configured. Add a [[collections]] section to refdesk.toml, or use --docs PATH.",
        "ko": "설정된 문서 모음이 없습니다. refdesk.toml에 [[collections]]를 추가하거나 --docs PATH를 쓰세요.",
    },
    "error.collection_unknown": {
        "en": "There is no collection {name}; configured are: {known}.",
        "ko": "{name}(이)라는 문서 모음이 없습니다. 설정된 것: {known}.",
    },
    "error.forget_configured": {
        "en": "{name} is in refdesk.toml. Take it out there, then run `refdesk index --forget {name}` again.",
        "ko": "{name}은(는) refdesk.toml에 있습니다. 먼저 그곳에서 뺀 뒤 `refdesk index --forget {name}`를 다시 실행해"
        " 주세요.",
    },
    "error.forget_unknown": {
        "en": "There is nothing of {name} in the index. What is there and not in refdesk.toml: {known}.",
        "ko": "색인에 {name}의 내용이 없습니다. 색인에 있지만 refdesk.toml에 없는 것: {known}.",
    },
    "error.store": {
        "en": "{path} can't be used ({what}). Move it away and run `refdesk sync` to build it anew.",
        "ko": "{path} 파일을 쓸 수 없습니다({what}). 다른 곳으로 옮긴 뒤 `refdesk sync`로 다시 만들어 주세요.",
    },
    "error.store_access": {
        "en": "{path} can't be opened ({what}). Check the place, the permissions and the free space.",
        "ko": "{path}을(를) 열 수 없습니다({what}). 위치와 쓰기 권한, 디스크 여유 공간을 확인해 주세요.",
    },
    "error.output": {
        "en": "The answer can't be written ({what}). Check where the output goes, and the free space there.",
        "ko": "답을 출력할 수 없습니다({what}). 출력 위치와 여유 공간을 확인해 주세요.",
    },
    "error.store_newer": {
        "en": "{path} was written by a newer version of Refdesk. Update Refdesk; nothing was changed.",
        "ko": "{path}은(는) 더 새로운 버전의 Refdesk가 쓴 파일입니다. Refdesk를 업데이트해 주세요. 바뀐 것은 없습니다.",
    },
    "error.morphemes_missing": {
        "en": "The analyzer morphemes is not installed."
        " Run `pip install 'refdesk[morphemes]'`, or leave analyzer unset.",
        "ko": "형태소 분석기가 설치되어 있지 않습니다."
        " `pip install 'refdesk[morphemes]'`를 실행하거나 analyzer 설정을 지워 주세요.",
    },
    "error.e5_missing": {
        "en": "The embedder local-e5 is not installed. Run `pip install 'refdesk[local-e5]'`, or leave embedder unset.",
        "ko": "local-e5 임베더가 설치되어 있지 않습니다."
        " `pip install 'refdesk[local-e5]'`를 실행하거나 embedder 설정을 지워 주세요.",
    },
    "error.reranker_missing": {
        "en": "Grading with a cross-encoder needs `pip install 'refdesk[rerankers]'`; or choose another grader.",
        "ko": "교차 인코더로 평가하려면 `pip install 'refdesk[rerankers]'`가 필요합니다."
        " 아니면 다른 평가 방법을 고르세요.",
    },
    "error.reranker_unusable": {
        "en": "The model {name} can't be loaded. Check its name, or that it has been downloaded.",
        "ko": "{name} 모델을 불러올 수 없습니다. 이름이 맞는지, 내려받았는지 확인해 주세요.",
    },
    "error.embedding": {
        "en": "The documents were indexed with {embedding} ({stored} dimensions), but questions are now embedded in"
        " {asked}. Run `refdesk sync` to index them anew.",
        "ko": "문서는 {embedding}({stored}차원)로 색인되었는데 질문은 {asked}차원으로 임베딩되고 있습니다."
        " `refdesk sync`로 다시 색인해 주세요.",
    },
    "error.embedding_mixed": {
        "en": "These collections were indexed with different embedders ({embeddings}) and can't be searched as one."
        " Run `refdesk sync` to index them anew.",
        "ko": "문서 모음들이 서로 다른 임베더({embeddings})로 색인되어 함께 검색할 수 없습니다."
        " `refdesk sync`로 다시 색인해 주세요.",
    },
    "error.embedding_dimension": {
        "en": "The embedder {embedding} now gives {asked} dimensions, but its vectors in the index have {stored}."
        " Choose another embedder, or move the index file away and run `refdesk sync`.",
        "ko": "임베더 {embedding}이(가) 이제 {asked}차원을 내지만 색인에 있는 벡터는 {stored}차원입니다."
        " 다른 임베더를 고르거나 색인 파일을 다른 곳으로 옮긴 뒤 `refdesk sync`를 실행해 주세요.",
    },
    "error.embedding_unknown": {
        "en": "This Refdesk knows no embedder {embedding}. Run `refdesk sync` to index those documents anew.",
        "ko": "이 Refdesk에는 {embedding}이라는 임베더가 없습니다. `refdesk sync`로 그 문서들을 다시 색인해 주세요.",
    },
    "error.index_key": {
        "en": 'Pinecone has no key. Set PINECONE_API_KEY, or write vectors = "embedded" under [index].',
        "ko": 'Pinecone에 쓸 키가 없습니다. PINECONE_API_KEY를 설정하거나 [index]에 vectors = "embedded"를 쓰세요.',
    },
    "error.index_extra": {
        "en": 'Pinecone needs a package that is not installed: pip install "refdesk[pinecone]".',
        "ko": 'Pinecone에 필요한 패키지가 없습니다. 설치해 주세요: pip install "refdesk[pinecone]".',
    },
    "error.index_mismatch": {
        "en": "The Pinecone index {index} is of another kind ({found}); {wanted} dimensions and {metric} are needed."
        " Write another name under [index], or delete that index.",
        "ko": "Pinecone 인덱스 {index}의 종류가 다릅니다({found}). {wanted}차원, {metric} 인덱스가 필요합니다."
        " [index]의 name을 바꾸거나 그 인덱스를 지워 주세요.",
    },
    "error.index_key_refused": {
        "en": "Pinecone refused the request. An admin should check PINECONE_API_KEY and what the plan allows.",
        "ko": "Pinecone이 요청을 거부했습니다. 관리자가 PINECONE_API_KEY와 요금제를 확인해야 합니다.",
    },
    "error.index_quota": {
        "en": "Pinecone's quota is used up. An admin should raise the plan's limit.",
        "ko": "Pinecone 사용 한도를 다 썼습니다. 관리자가 요금제 한도를 올려야 합니다.",
    },
    "error.index_busy": {
        "en": "Pinecone is busy. Please try again in a minute.",
        "ko": "Pinecone 요청이 몰려 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.index_gone": {
        "en": "The Pinecone index is gone. An admin should run `refdesk sync` to build it anew.",
        "ko": "Pinecone 인덱스가 없어졌습니다. 관리자가 `refdesk sync`로 다시 만들어야 합니다.",
    },
    "error.index_down": {
        "en": "Pinecone can't be reached. Please try again later; an admin can check host under [index].",
        "ko": "Pinecone에 연결할 수 없습니다. 나중에 다시 시도하거나 [index]의 host를 확인해 주세요.",
    },
    "error.index_timeout": {
        "en": "Pinecone took longer than {seconds} s. Please try again.",
        "ko": "Pinecone이 {seconds}초를 넘겼습니다. 다시 시도해 주세요.",
    },
    "error.index_answer": {
        "en": "Pinecone gave an answer that can't be used. Please try again later.",
        "ko": "Pinecone이 쓸 수 없는 답을 보냈습니다. 나중에 다시 시도해 주세요.",
    },
    "error.index_unsettled": {
        "en": "What was written to Pinecone is not visible after {seconds} s, so nothing was published."
        " Run `refdesk sync` again.",
        "ko": "Pinecone에 쓴 내용이 {seconds}초가 지나도 보이지 않아 공개하지 않았습니다."
        " `refdesk sync`를 다시 실행해 주세요.",
    },
    "error.index_lost": {
        "en": "{count} vectors are no longer in Pinecone. Run `refdesk sync` again to make them anew.",
        "ko": "벡터 {count}개가 Pinecone에 없습니다. `refdesk sync`를 다시 실행해 만들어 주세요.",
    },
    "error.source": {
        "en": "The source {source} can't be read: {what}.",
        "ko": "원본 {source}을(를) 읽을 수 없습니다: {what}.",
    },
    "error.folder_missing": {
        "en": "The folder {path} doesn't exist or isn't a folder. Check the path in refdesk.toml or after --docs.",
        "ko": "{path} 폴더가 없거나 폴더가 아닙니다. refdesk.toml이나 --docs의 경로를 확인해 주세요.",
    },
    "error.folder_empty": {
        "en": "The folder {path} holds no document that is wanted ({include}). Add documents or change `include`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "{path} 폴더에 읽을 문서가 없습니다({include}). 문서를 넣거나 `include`를 바꿔 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.folder_permission": {
        "en": "There is no permission to read the folder {path}. Give read access to the user that runs Refdesk.",
        "ko": "{path} 폴더를 읽을 권한이 없습니다. Refdesk를 실행하는 사용자에게 읽기 권한을 주세요.",
    },
    "error.source_private": {
        "en": "{source} leads to {host}, which is not on the public internet. If that is meant, write "
        'allow_private = ["{host}"] below the `source` of that collection in refdesk.toml.',
        "ko": "{source}의 호스트 {host}은(는) 공개 인터넷 주소가 아닙니다. 의도한 것이라면 refdesk.toml에서 그 "
        '문서 모음의 `source` 아래에 allow_private = ["{host}"]를 적어 주세요.',
    },
    "error.git_missing": {
        "en": "The `git` command is missing, and a collection comes from a repository. Install git 2.37 or newer.",
        "ko": "저장소에서 문서를 가져오려면 `git` 명령이 필요합니다. git 2.37 이상을 설치해 주세요.",
    },
    "error.git_place_missing": {
        "en": "The repository {path} doesn't exist. Check the path after git: in refdesk.toml.",
        "ko": "{path} 저장소가 없습니다. refdesk.toml의 git: 뒤 경로를 확인해 주세요.",
    },
    "error.git_old": {
        "en": "The `git` command here is too old. Install git {version} or newer.",
        "ko": "설치된 `git`이 너무 오래되었습니다. git {version} 이상을 설치해 주세요.",
    },
    "error.git_failed": {
        "en": "The repository {source} can't be read: {what}. Check its address, the branch and the token.",
        "ko": "저장소 {source}을(를) 읽을 수 없습니다: {what}. 주소와 브랜치, 토큰을 확인해 주세요.",
    },
    "error.git_slow": {
        "en": "The repository {source} took longer than {seconds} s. Raise git.max_seconds or try again later.",
        "ko": "저장소 {source} 응답이 {seconds}초를 넘겼습니다. git.max_seconds를 늘리거나 나중에 다시 시도해 주세요.",
    },
    "error.git_large": {
        "en": "The repository {source} is larger than {limit_mb} MB. Raise git.max_mb if it is meant to be.",
        "ko": "저장소 {source}의 크기가 {limit_mb}MB를 넘습니다. 의도한 것이라면 git.max_mb를 늘려 주세요.",
    },
    "error.git_empty": {
        "en": "The repository {source} holds no wanted document below {place}. Check `subfolder` and `include`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "저장소 {source}의 {place} 아래에 읽을 문서가 없습니다. `subfolder`와 `include`를 확인해 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.git_repository": {
        "en": "{source} has no origin on a web host, so {{repository}} in `link` can't be filled in. Write the"
        " repository's name there instead.",
        "ko": "{source}에 웹 호스트를 가리키는 origin이 없어 `link`의 {{repository}}를 채울 수 없습니다. 그 자리에"
        " 저장소 이름을 직접 적어 주세요.",
    },
    "error.site_failed": {
        "en": "The website {source} can't be read: {what}. Check the address, or try again later.",
        "ko": "웹사이트 {source}을(를) 읽을 수 없습니다: {what}. 주소를 확인하거나 나중에 다시 시도해 주세요.",
    },
    "error.site_moved": {
        "en": "The website {source} sends its readers to {target}. Write that address as the source if it is the one.",
        "ko": "웹사이트 {source}은(는) {target}(으)로 이동합니다. 맞는 주소라면 그 주소를 source에 적어 주세요.",
    },
    "error.site_robots": {
        "en": "The robots.txt of {source} asks not to be read by Refdesk. Ask its owner to allow the robot “refdesk”.",
        "ko": "{source}의 robots.txt가 읽기를 허용하지 않습니다. 소유자에게 로봇 “refdesk”를 허용해 달라고 해 주세요.",
    },
    "error.site_empty": {
        "en": "The website {source} holds no page that is wanted. Check the address, `include` and `exclude`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "웹사이트 {source}에 읽을 페이지가 없습니다. 주소와 `include`, `exclude`를 확인해 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.jsonl_missing": {
        "en": "The file {path} doesn't exist or can't be read. Check the path after jsonl: in refdesk.toml.",
        "ko": "{path} 파일이 없거나 읽을 수 없습니다. refdesk.toml의 jsonl: 뒤 경로를 확인해 주세요.",
    },
    "error.jsonl_empty": {
        "en": "No line of {path} is a document ({what}). Each line is a JSON object with at least a `text`."
        " Nothing was removed; `refdesk index --forget NAME` deletes a collection that refdesk.toml names no more.",
        "ko": "{path}에 문서인 줄이 없습니다({what}). 줄마다 `text`가 있는 JSON 객체 하나를 써 주세요."
        " 지운 것은 없습니다. refdesk.toml에서 뺀 문서 모음은 `refdesk index --forget 이름`으로 지웁니다.",
    },
    "error.access": {
        "en": "You don't have permission for that here.",
        "ko": "여기서 그 작업을 할 권한이 없습니다.",
    },
    "error.collection_here": {
        "en": "There is no collection {name} here; there are: {known}.",
        "ko": "여기에는 {name}(이)라는 문서 모음이 없습니다. 있는 것: {known}.",
    },
    "error.mode": {
        "en": "{mode} is no mode; there are: {known}.",
        "ko": "{mode}(이)라는 방식은 없습니다. 있는 것: {known}.",
    },
    "error.no_longer_readable": {
        "en": "While I was answering, what may be read here changed, so this answer can't be shown. Please ask again.",
        "ko": "답하는 동안 여기서 볼 수 있는 문서가 바뀌어 이 답을 보여 드릴 수 없습니다. 다시 물어봐 주세요.",
    },
    "error.busy": {
        "en": "I'm busy with other questions right now. Please try again in a moment.",
        "ko": "지금 다른 질문을 처리하고 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.sync_running": {
        "en": "{collection} is being indexed by another process right now. Try again when it has finished.",
        "ko": "다른 프로세스가 지금 {collection}을(를) 색인하고 있습니다. 끝난 뒤 다시 시도해 주세요.",
    },
    "error.job_unknown": {
        "en": "There is no job {id}. {listed} lists the latest.",
        "ko": "{id}번 작업이 없습니다. {listed}(으)로 최근 작업을 볼 수 있습니다.",
    },
    "error.job_crashed": {
        "en": "The sync of {collection} broke off {attempts} times. An admin can look up id {error_id} in the log.",
        "ko": "{collection} 동기화가 {attempts}번 끊겼습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
    "error.job_cancelled": {
        "en": "The sync of {collection} was cancelled. What was read so far is kept for the next one.",
        "ko": "{collection} 동기화가 취소되었습니다. 지금까지 읽은 것은 다음 동기화에 쓰입니다.",
    },
    "error.budget": {
        "en": "This question needed more model calls than one question may make. Please ask for less at once.",
        "ko": "질문 하나에 쓸 수 있는 모델 호출 수를 모두 썼습니다. 질문을 나누어 다시 물어봐 주세요.",
    },
    "error.model_key": {
        "en": "The model service at {host} refused the key. An admin should check the API key and what it may do.",
        "ko": "{host} 모델 서비스가 키를 거부했습니다. 관리자가 API 키와 권한을 확인해야 합니다.",
    },
    "error.model_missing": {
        "en": "The model service doesn't know {model}. An admin should check the model's name and base_url.",
        "ko": "모델 서비스에 {model}이(가) 없습니다. 관리자가 모델 이름과 base_url을 확인해야 합니다.",
    },
    "error.model_quota": {
        "en": "The model account's quota is used up. An admin should check its plan and billing.",
        "ko": "모델 계정의 사용 한도를 다 썼습니다. 관리자가 요금제와 결제를 확인해야 합니다.",
    },
    "error.model_busy": {
        "en": "The model service has too many requests right now. Please try again in a minute.",
        "ko": "모델 서비스에 요청이 몰려 있습니다. 잠시 뒤 다시 시도해 주세요.",
    },
    "error.model_down": {
        "en": "The model service has a problem of its own. Please try again later; id {error_id}.",
        "ko": "모델 서비스에 장애가 있습니다. 나중에 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.model_unreachable": {
        "en": "The model service at {host} can't be reached. Try again; an admin can check that it runs, and base_url.",
        "ko": "{host} 모델 서비스에 연결할 수 없습니다. 다시 시도하거나, 관리자가 서비스와 base_url을 확인해 주세요.",
    },
    "error.model_slow": {
        "en": "The model service at {host} took too long. Please try again; an admin can raise the timeout.",
        "ko": "{host} 모델 서비스의 응답이 너무 늦습니다. 다시 시도해 주세요. 관리자는 제한 시간을 늘릴 수 있습니다.",
    },
    "error.model_broken": {
        "en": "The connection to the model broke in the middle of its answer. Please try again; id {error_id}.",
        "ko": "모델이 답하는 도중에 연결이 끊겼습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.model_request": {
        "en": "{model} doesn't accept this kind of request. An admin can look up id {error_id} in the log.",
        "ko": "{model} 모델이 이런 요청을 받지 않습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
    "error.model_long": {
        "en": "That is more text than the model can read at once. Ask about less, or start a new thread.",
        "ko": "모델이 한 번에 읽을 수 있는 양을 넘었습니다. 질문을 줄이거나 새 대화를 시작해 주세요.",
    },
    "error.model_declined": {
        "en": "The model declined to answer this. Please word the question differently.",
        "ko": "모델이 답변을 거절했습니다. 질문을 다르게 적어 주세요.",
    },
    "error.model_empty": {
        "en": "The model gave no answer. Please try again.",
        "ko": "모델이 답을 내놓지 않았습니다. 다시 시도해 주세요.",
    },
    "error.model_cut": {
        "en": "The model's answer was cut off at its length limit. Please ask for less at once.",
        "ko": "모델의 답이 길이 한도에서 잘렸습니다. 질문을 나누어 물어봐 주세요.",
    },
    "error.model_unusable": {
        "en": "The model didn't answer in the form it was asked for. Please try again, or choose another model.",
        "ko": "모델이 요청한 형식으로 답하지 않았습니다. 다시 시도해 주세요. 관리자는 다른 모델을 고를 수 있습니다.",
    },
    "error.model_answer": {
        "en": "What answered isn't a model service, or it is broken. An admin should check base_url.",
        "ko": "모델 서비스의 응답이 아니거나 서비스가 고장 났습니다. 관리자가 base_url을 확인해야 합니다.",
    },
    "error.model_dimension": {
        "en": "{model} gives {found} numbers a text and not {wanted}. An admin should write"
        " `models.dimension = {found}` in refdesk.toml.",
        "ko": "{model} 모델의 차원은 {wanted}이(가) 아니라 {found}입니다. 관리자가 refdesk.toml에"
        " `models.dimension = {found}`을(를) 써야 합니다.",
    },
    "error.upstream": {
        "en": "A service I depend on failed. Please try again; id {error_id}.",
        "ko": "의존하는 서비스에 문제가 있습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.timeout": {
        "en": "A service I depend on took too long. Please try again; id {error_id}.",
        "ko": "의존하는 서비스의 응답이 너무 늦습니다. 다시 시도해 주세요. 번호 {error_id}.",
    },
    "error.refused": {
        "en": "A service I depend on refused the request. An admin can look up id {error_id} in the log.",
        "ko": "의존하는 서비스가 요청을 거절했습니다. 관리자가 로그에서 번호 {error_id}를 확인할 수 있습니다.",
    },
}
